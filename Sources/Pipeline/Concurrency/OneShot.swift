/// A value that arrives once and has one reader.
///
/// Whoever resolves it first wins; later values are refused. The task that reads it and the code that resolves it can
/// come in either order.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case empty
        case awaited(UnsafeContinuation<Value, Never>)
        case resolved(Value)
        /// The value has been handed over; keeping it would keep what it holds.
        case taken
    }

    private let state = Locked<State>(.empty)

    package init() {}

    /// Sets the value unless there is one.
    ///
    /// - Returns: Whether this call set it.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let (won, reader) = state.withLock { state -> (Bool, UnsafeContinuation<Value, Never>?) in
            switch state {
            case .empty:
                state = .resolved(value)
                return (true, nil)
            case .awaited(let reader):
                state = .taken
                return (true, reader)
            case .resolved, .taken:
                return (false, nil)
            }
        }
        reader?.resume(returning: value)
        return won
    }

    /// Waits for the value.
    ///
    /// It does not end with the task: whoever may cancel resolves the value.
    package func value() async -> Value {
        await withUnsafeContinuation { reader in
            let value = state.withLock { state -> Value? in
                switch state {
                case .resolved(let value):
                    state = .taken
                    return value
                case .empty:
                    state = .awaited(reader)
                    return nil
                case .awaited, .taken:
                    preconditionFailure("a OneShot has one reader")
                }
            }
            if let value { reader.resume(returning: value) }
        }
    }
}
