/// Strikes when nothing has moved for too long.
///
/// A transfer shows a sign of life with every chunk, so a sign must be cheap: it only notes the time, and the limit that
/// runs looks at the note when it expires.
package final class QuietWatch: Sendable {
    private struct State {
        var limit: Duration?
        var lastSign: Duration
        var isPaused = false
        var isOver = false
        var running: (any TimeLimitHandle)?
    }

    private let time: any TimeSource
    private let strike: @Sendable () -> Void
    private let state: Locked<State>

    /// Creates a watch that rests until ``start(limit:)``.
    ///
    /// - Parameter strike: Called once at most, on any thread.
    package init(time: any TimeSource, strike: @escaping @Sendable () -> Void) {
        self.time = time
        self.strike = strike
        state = Locked(State(lastSign: time.now))
    }

    /// Begins to watch, or goes on with another limit; without one it rests.
    package func start(limit: Duration?) {
        let now = time.now
        let old = state.withLock { state -> (any TimeLimitHandle)? in
            state.lastSign = now
            guard state.limit != limit else { return nil }
            state.limit = limit
            return state.running.take()
        }
        old?.lift()
        arm()
    }

    /// Notes that something moved.
    package func sign() {
        let now = time.now
        state.withLock { $0.lastSign = now }
    }

    /// Stops the count while it is our side that does not move.
    package func pause() {
        state.withLock { $0.isPaused = true }
    }

    /// Counts again, from now.
    package func resume() {
        let now = time.now
        state.withLock { state in
            state.isPaused = false
            state.lastSign = now
        }
    }

    /// Ends the watch for good.
    package func stop() {
        let running = state.withLock { state in
            state.isOver = true
            return state.running.take()
        }
        running?.lift()
    }

    private func arm() {
        let now = time.now
        let rest = state.withLock { state -> Duration? in
            guard !state.isOver, state.running == nil, let limit = state.limit, limit < .unlimited else { return nil }
            return state.isPaused ? limit : limit - (now - state.lastSign)
        }
        guard let rest else { return }
        let handle = time.startLimit(of: max(rest, .zero)) { [weak self] in self?.expire() }
        let surplus = state.withLock { state -> (any TimeLimitHandle)? in
            guard !state.isOver, state.running == nil else { return handle }
            state.running = handle
            return nil
        }
        surplus?.lift()
    }

    private func expire() {
        let now = time.now
        let isDue = state.withLock { state in
            state.running = nil
            guard !state.isOver, !state.isPaused, let limit = state.limit, now - state.lastSign >= limit else {
                return false
            }
            state.isOver = true
            return true
        }
        if isDue { strike() } else { arm() }
    }
}
