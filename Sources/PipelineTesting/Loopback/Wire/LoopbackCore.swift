import Foundation
import Pipeline

/// What a server's threads share. It outlives the ``LoopbackServer`` only until they are gone.
final class LoopbackCore: Sendable {
    private struct Live {
        let socket: LoopbackSocket
        let thread: LoopbackThread
        let routes: LoopbackRouteCopy
    }

    private struct State {
        var isStopping = false
        var routes = LoopbackRoutes()
        var lastID = 0
        /// The connections that are served, by number.
        var live: [Int: Live] = [:]
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

    var isStopping: Bool { state.withLock { $0.isStopping } }
    var openConnections: Int { state.withLock { $0.live.count } }

    func changeRoutes(_ change: (inout LoopbackRoutes) -> Void) {
        // What is replaced is released after the lock: the destruction of a handler may run anybody's code.
        let replaced = state.withLock { state in
            let old = state.routes
            change(&state.routes)
            return [old] + state.live.values.map { [routes = state.routes] in $0.routes.replace(with: routes) }
        }
        withExtendedLifetime(replaced) {}
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
            let routes = LoopbackRouteCopy(state.routes)
            let thread = try? LoopbackThread { [self] in
                let ending = LoopbackDriver(id, socket, routes, self).run()
                finished(id)
                recorder.ended(id, ending)
            }
            if let thread {
                state.live[id] = Live(socket: socket, thread: thread, routes: routes)
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
