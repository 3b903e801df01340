import Pipeline

/// The permits of a ``ConcurrencyLimitAction``: it has so many to give and takes them back.
final class PermitPool: Sendable {
    private struct State: Sendable {
        var queue: PermitQueue<SendID>
        var turns: [PermitQueue<SendID>.Ticket: Turn<Bool>] = [:]
    }

    private let state: Guarded<State>

    init(_ policy: ConcurrencyLimitPolicy) {
        state = Guarded(
            State(
                queue: PermitQueue(
                    total: policy.maximumConcurrentRequests,
                    perHost: policy.maximumConcurrentRequestsPerHost,
                    overtakingLimit: policy.overtakingLimit
                )
            )
        )
    }

    var taken: Int { state.withLock { $0.queue.running } }

    var waiting: Int { state.withLock { $0.queue.waiting } }

    /// Takes a permit, if need be after a wait.
    ///
    /// - Parameters:
    ///   - host: Where the request goes.
    ///   - priority: Its priority.
    ///   - start: Its send, by whose beginning those of equal priority are ordered.
    ///   - willWait: Called once before a wait, with the number of those who wait already.
    /// - Throws: `CancellationError` if the task is cancelled before a permit is there.
    func permit(
        at host: Origin,
        priority: TaskPriority,
        start: SendID,
        willWait: (Int) -> Void
    ) async throws -> Permit {
        let turn = Turn<Bool>()
        let (ticket, mayGo, others) = state.withLock { state in
            let others = state.queue.waiting
            let (ticket, mayGo) = state.queue.enter(host, priority: priority.rawValue, start: start)
            if !mayGo { state.turns[ticket] = turn }
            return (ticket, mayGo, others)
        }
        if !mayGo {
            willWait(others)
            let hasCome = await withTaskCancellationHandler {
                await turn.wait()
            } onCancel: {
                withdraw(ticket)
            }
            guard hasCome else { throw CancellationError() }
        }
        return Permit(of: self, at: host)
    }

    private func withdraw(_ ticket: PermitQueue<SendID>.Ticket) {
        let turn = state.withLock { state in
            state.queue.withdraw(ticket) ? state.turns.removeValue(forKey: ticket) : nil
        }
        turn?.come(false)
    }

    fileprivate func takeBack(from host: Origin) {
        let turn = state.withLock { state in
            state.queue.leave(host).flatMap { state.turns.removeValue(forKey: $0) }
        }
        turn?.come(true)
    }
}

/// The right to be under way. It goes back once, at the latest when nobody knows it any more.
final class Permit: Sendable {
    private enum State: Sendable {
        case held
        /// The request is done, and its body is not.
        case streaming
        case returned
    }

    private let pool: PermitPool
    private let host: Origin
    private let state = Guarded(State.held)

    fileprivate init(of pool: PermitPool, at host: Origin) {
        self.pool = pool
        self.host = host
    }

    deinit { giveBack() }

    /// Whether sends made on behalf of its holder can ride on it.
    var carries: Bool { state.withLock { $0 != .returned } }

    /// Whether its holder is between will-begin and response-completed.
    var isHeld: Bool { state.withLock { $0 == .held } }

    /// Gives it back with the end of a stream.
    func giveBack(after stream: BodyStream) {
        state.withLock { if $0 == .held { $0 = .streaming } }
        stream.onEnd { [self] _ in giveBack() }
    }

    func giveBack() {
        let isFirst = state.withLock { state in
            defer { state = .returned }
            return state != .returned
        }
        if isFirst { pool.takeBack(from: host) }
    }
}
