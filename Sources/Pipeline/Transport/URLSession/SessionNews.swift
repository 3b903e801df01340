/// What a session has to say to the task that waits for a response: how far the bodies have got, and that there is an answer.
///
/// The session says it on the queue of its delegate, where monitors are not to be called.
final class SessionNews: Sendable {
    /// Progress comes at least so far apart: twice as often as callers are told, so that they are not kept waiting.
    private static let interval: Duration = .milliseconds(50)

    private struct State: Sendable {
        var progress: AttemptProgress?
        var lastProgress: ContinuousClock.Instant?
        var isAnswered = false
        var reader: OneShot<Void>?
    }

    private let state = Locked(State())

    /// Notes that the head of the response is in, or that there will be none.
    func answer() {
        let reader = state.withLock { state in
            state.isAnswered = true
            return state.reader.take()
        }
        reader?.resolve(())
    }

    /// Notes how far the bodies have got.
    ///
    /// - Parameter isLast: Whether it is to be told however short the time since the last.
    func put(_ progress: AttemptProgress, isLast: Bool) {
        let now = ContinuousClock.now
        let reader = state.withLock { state -> OneShot<Void>? in
            let isDue = state.lastProgress.map { now - $0 >= Self.interval } ?? true
            guard isLast || isDue else { return nil }
            state.lastProgress = now
            state.progress = progress
            return state.reader.take()
        }
        reader?.resolve(())
    }

    /// How far the bodies have got, if there is anything new.
    func takeProgress() -> AttemptProgress? { state.withLock { $0.progress.take() } }

    /// Waits for news.
    ///
    /// - Returns: Whether there is an answer.
    func wait() async -> Bool {
        let reader: OneShot<Void>? = state.withLock { state in
            guard !state.isAnswered, state.progress == nil else { return nil }
            let reader = OneShot<Void>()
            state.reader = reader
            return reader
        }
        if let reader { await reader.value() }
        return state.withLock { $0.isAnswered }
    }
}
