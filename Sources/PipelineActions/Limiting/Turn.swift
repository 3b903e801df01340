/// What somebody in line waits for: it comes once, before or after they begin to wait, and has one reader.
final class Turn<Summons: Sendable>: Sendable {
    private enum State: Sendable {
        case empty
        case awaited(UnsafeContinuation<Summons, Never>)
        case come(Summons)
        case over
    }

    private let state = Guarded<State>(.empty)

    /// Calls whoever waits. Later calls change nothing.
    func come(_ summons: Summons) {
        let reader = state.withLock { state -> UnsafeContinuation<Summons, Never>? in
            switch state {
            case .empty:
                state = .come(summons)
                return nil
            case .awaited(let reader):
                state = .over
                return reader
            case .come, .over:
                return nil
            }
        }
        reader?.resume(returning: summons)
    }

    /// Waits to be called, also by whoever handles cancellation: this does not end with the task by itself.
    func wait() async -> Summons {
        await withUnsafeContinuation { reader in
            let summons = state.withLock { state -> Summons? in
                guard case .come(let summons) = state else {
                    state = .awaited(reader)
                    return nil
                }
                state = .over
                return summons
            }
            if let summons { reader.resume(returning: summons) }
        }
    }
}
