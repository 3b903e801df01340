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

    func next() async -> Value {
        let reader = OneShot<Value>()
        let value = state.withLock { state -> Value? in
            guard state.values.isEmpty else { return state.values.removeFirst() }
            state.readers.append(reader)
            return nil
        }
        if let value { return value }
        return await reader.value()
    }
}
