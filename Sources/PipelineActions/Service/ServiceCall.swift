import Pipeline

/// One send of a service, which can be cancelled before its handle is there.
final class ServiceCall: Sendable {
    private enum State: Sendable {
        case starting
        case started(SendHandle)
        case cancelled
    }

    private let state = Guarded(State.starting)

    func adopt(_ handle: SendHandle) {
        let wasCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .started(handle)
            return false
        }
        if wasCancelled { handle.cancel() }
    }

    func cancel() {
        let handle = state.withLock { state -> SendHandle? in
            defer { state = .cancelled }
            if case .started(let handle) = state { return handle }
            return nil
        }
        handle?.cancel()
    }
}
