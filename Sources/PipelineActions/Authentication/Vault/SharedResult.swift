/// A value that arrives once and that any number of tasks wait for. A task that is cancelled leaves at once.
final class SharedResult<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    }

    private let state = Guarded(State())

    /// Sets the value unless there is one, and lets all go on.
    func resolve(_ value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func value() async throws -> Value {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let value = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Value?, Never>) in
                let isOver = state.withLock { state in
                    guard state.value == nil, !Task.isCancelled else { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isOver { waiter.resume(returning: state.withLock { $0.value }) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
        guard let value else { throw CancellationError() }
        return value
    }
}
