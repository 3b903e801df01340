import Pipeline

/// Values in the order in which they were put, each handed to one reader; readers wait for values.
final class Mailbox<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: [Value] = []
        var readers: [OneShot<Value>] = []
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.values.count } }

    func put(_ value: Value) {
        let reader = state.withLock { state -> OneShot<Value>? in
            guard state.readers.isEmpty else { return state.readers.removeFirst() }
            state.values.append(value)
            return nil
        }
        reader?.resolve(value)
    }

    /// Waits for the next value.
    ///
    /// - Parameter placeholder: What to return if the task is cancelled. Tests have a time limit; when it strikes, whoever
    ///   waits must go on, or the test would never end.
    func next(orWhenCancelled placeholder: Value) async -> Value {
        let reader = OneShot<Value>()
        let value = state.withLock { state -> Value? in
            guard state.values.isEmpty else { return state.values.removeFirst() }
            state.readers.append(reader)
            return nil
        }
        if let value { return value }
        return await withTaskCancellationHandler {
            await reader.value()
        } onCancel: {
            state.withLock { state in state.readers.removeAll { $0 === reader } }
            reader.resolve(placeholder)
        }
    }
}
