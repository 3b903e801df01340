import Foundation
import Pipeline

/// What a server's threads share. It outlives the ``LoopbackServer`` only until they are gone.
final class LoopbackCore: Sendable {
    private struct State {
        var isStopping = false
        var routes = LoopbackRoutes()
        var lastID = 0
        /// The connections that are served, by number.
        var live: [Int: (socket: LoopbackSocket, thread: LoopbackThread)] = [:]
        /// Threads that are about to end, or have ended, and wait to be joined.
        var finished: [LoopbackThread] = []
        var listener: LoopbackListener?
        var acceptor: LoopbackThread?
    }

    let reading: LoopbackReading
    let recorder: LoopbackRecorder
    private let state = Locked(State())

    init(_ listener: LoopbackListener, reading: LoopbackReading, records: Bool) {
        state.withLock { $0.listener = listener }
        self.reading = reading
        recorder = LoopbackRecorder(isOn: records)
    }

    var routes: LoopbackRoutes { state.withLock { $0.routes } }
    var isStopping: Bool { state.withLock { $0.isStopping } }
    var openConnections: Int { state.withLock { $0.live.count } }

    func changeRoutes(_ change: (inout LoopbackRoutes) -> Void) {
        // Handlers that are replaced are released after the lock: their destruction may run anybody's code.
        var routes = routes
        change(&routes)
        let changed = routes
        state.withLock { $0.routes = changed }
    }

    /// Begins to accept connections.
    func start(_ listener: LoopbackListener) throws {
        let thread = try LoopbackThread { [self] in
            while let socket = listener.accept() {
                reap()
                serve(socket)
            }
        }
        state.withLock { $0.acceptor = thread }
    }

    /// Ends every connection and thread. Returns when they are gone.
    func stop() {
        stopAccepting()
        let live = state.withLock { Array($0.live.values) }
        for connection in live { connection.socket.interrupt() }
        for connection in live { connection.thread.join() }
        reap()
        recorder.finish()
        changeRoutes { $0 = LoopbackRoutes() }  // A handler may hold the server.
    }

    /// Ends the accepting thread, and lets go of the listener, which closes it.
    private func stopAccepting() {
        let (listener, acceptor) = state.withLock { state in
            state.isStopping = true
            defer { (state.listener, state.acceptor) = (nil, nil) }
            return (state.listener, state.acceptor)
        }
        listener?.interrupt()
        acceptor?.join()
    }

    private func serve(_ socket: LoopbackSocket) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        recorder.began(id)
        // The thread waits at the lock, should it end before it is in the list.
        state.withLock { state in
            let thread = try? LoopbackThread { [self] in
                let ending = LoopbackDriver(id, socket, self).run()
                finished(id)
                recorder.ended(id, ending)
            }
            if let thread {
                state.live[id] = (socket, thread)
            } else {
                recorder.ended(id, .closedByServer)  // No thread is to be had; letting go of the socket closes it.
            }
        }
    }

    private func finished(_ id: Int) {
        state.withLock { state in
            if let connection = state.live.removeValue(forKey: id) { state.finished.append(connection.thread) }
        }
    }

    /// Joins threads that have ended.
    private func reap() {
        let threads = state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
        for thread in threads { thread.join() }
    }
}
