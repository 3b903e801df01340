/// How many bytes wait to be handed to the system, and who waits until they are fewer.
package final class SendMeter: Sendable {
    private struct State: Sendable {
        var waiting = 0
        var failure: NetworkError?
        var drains: [Int: Drain] = [:]
        var lastDrain = 0

        /// What kept bytes from being sent, if something did. The end of a connection is none to those whose bytes had left.
        var loss: NetworkError? { waiting > 0 ? failure : nil }
    }

    private struct Drain: Sendable {
        let count: Int
        let end: OneShot<Bool>
    }

    private let state = Locked(State())

    package init() {}

    /// How many bytes wait.
    package var waiting: Int { state.withLock { $0.waiting } }

    /// Counts bytes that wait. What comes after the end waits for ever, as whoever waits for it is told.
    package func add(_ count: Int) {
        state.withLock { $0.waiting += count }
    }

    /// Counts bytes that were handed to the system.
    package func sent(_ count: Int) {
        let due = state.withLock { state -> [Drain] in
            state.waiting -= count
            let due = state.drains.filter { $0.value.count >= state.waiting }
            for number in due.keys { state.drains[number] = nil }
            return Array(due.values)
        }
        for drain in due { drain.end.resolve(true) }
    }

    /// Ends it: what waits is not sent any more. What ended it first counts.
    package func end(with failure: NetworkError) {
        let drains = state.withLock { state -> [Drain] in
            if state.failure == nil { state.failure = failure }
            defer { state.drains = [:] }
            return Array(state.drains.values)
        }
        for drain in drains { drain.end.resolve(true) }
    }

    /// Waits until no more than so many bytes wait.
    ///
    /// - Throws: What ended it, if bytes were lost by that; `cancelled` if the task was cancelled.
    package func drain(to count: Int) async throws(NetworkError) {
        let end = OneShot<Bool>()
        let number = try state.withLock { state -> Result<Int?, NetworkError> in
            if let loss = state.loss { return .failure(loss) }
            if state.waiting <= count { return .success(nil) }
            state.lastDrain += 1
            state.drains[state.lastDrain] = Drain(count: count, end: end)
            return .success(state.lastDrain)
        }.get()
        guard let number else { return }
        let isOver = await withTaskCancellationHandler {
            await end.value()
        } onCancel: {
            end.resolve(false)
        }
        guard !isOver else { return try state.withLock { $0.loss.map(Result.failure) ?? .success(()) }.get() }
        state.withLock { _ = $0.drains.removeValue(forKey: number) }
        throw NetworkError(.cancelled)
    }
}
