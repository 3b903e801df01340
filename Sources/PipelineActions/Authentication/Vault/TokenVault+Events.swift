extension TokenVault {
    /// What happens to the tokens from now on: renewed, rejected.
    ///
    ///     for await event in tokens.events {
    ///         if case .rejected = event { await showLogin() }
    ///     }
    ///
    /// Each call gives a sequence of its own that keeps what nobody has read yet, and ends with the vault. Ask for it before
    /// the first send; what happened before is not told again.
    public var events: AsyncStream<AuthenticationEvent> { listeners.listen() }
}

/// Those who hear of what happens to tokens.
final class EventListeners: Sendable {
    private struct State: Sendable {
        var lastID = 0
        var listeners: [Int: AsyncStream<AuthenticationEvent>.Continuation] = [:]
    }

    private let state = Guarded(State())

    func listen() -> AsyncStream<AuthenticationEvent> {
        let (stream, listener) = AsyncStream.makeStream(of: AuthenticationEvent.self)
        let id = state.withLock { state in
            state.lastID += 1
            state.listeners[state.lastID] = listener
            return state.lastID
        }
        listener.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func tell(_ event: AuthenticationEvent) {
        for listener in state.withLock({ $0.listeners.values }) { listener.yield(event) }
    }

    func finish() {
        for listener in state.withLock({ $0.listeners.values }) { listener.finish() }
    }
}
