import Foundation

/// The waits of one connection's thread. Each ends when the connection does.
final class LoopbackWaiter {
    let socket: LoopbackSocket
    private var wakeUp: LoopbackWakeUp?

    init(_ socket: LoopbackSocket) {
        self.socket = socket
    }

    /// Waits until the gate is open.
    func wait(at gate: LoopbackGate) throws {
        var party: LoopbackWakeUp?
        let ticket = try gate.arrive {
            // Most connections never wait at a gate, so the pipe is made for the first wait and kept.
            let wakeUp = try wakeUp ?? LoopbackWakeUp()
            wakeUp.reset()
            self.wakeUp = wakeUp
            party = wakeUp
            return wakeUp
        }
        guard let ticket, let party else { return }
        defer { gate.leave(ticket) }
        try socket.wait(for: party, until: nil, noticesFinish: true)
    }

    /// Waits for this long.
    ///
    /// - Parameters:
    ///   - pause: How long, in real time.
    ///   - noticesFinish: Whether a client that has finished sending counts as gone.
    /// - Throws: ``LoopbackConnectionEnded`` if the connection ended.
    func wait(for pause: Duration, noticesFinish: Bool) throws {
        try socket.wait(for: nil, until: .now + pause, noticesFinish: noticesFinish)
    }
}
