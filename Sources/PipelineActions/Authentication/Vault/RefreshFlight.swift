import Pipeline

/// One refresh that is under way, with all who wait for it.
///
/// It belongs to nobody who waits: it has a task and a deadline of its own, and goes on when the send that set it off is
/// cancelled.
final class RefreshFlight: Sendable {
    /// How a refresh ends for those who wait.
    enum Outcome: Sendable {
        /// This is the token now.
        case refreshed(TokenLease)
        /// The server refused.
        case rejected(any Error)
        /// Something went wrong on the way; the token is what it was.
        case broken(any Error)
        /// The application set or removed the token meanwhile.
        case superseded
    }

    /// The refresh that the present task runs, if it runs one.
    @TaskLocal static var current: RefreshFlight?

    let scope: TokenScope
    /// What is to be renewed.
    let token: AccessToken?
    /// Where the scope stood when the refresh began.
    let mark: TokenLedger.Mark
    /// Whether the server has refused the token. If not, it may work until its end.
    let isAfterRefusal: Bool
    let outcome = SharedResult<Outcome>()

    private struct State: Sendable {
        var task: Task<Void, Never>?
        var limit: (any TimeLimitHandle)?
        var isOver = false
    }

    private let state = Guarded(State())

    init(scope: TokenScope, entry: TokenLedger.Entry, isAfterRefusal: Bool) {
        self.scope = scope
        self.isAfterRefusal = isAfterRefusal
        token = entry.token
        mark = entry.mark
    }

    /// Takes the task that does the work, and the limit that ends it. If it is over already, both end now.
    func adopt(_ task: Task<Void, Never>, limit: (any TimeLimitHandle)?) {
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.task = task
            state.limit = limit
            return false
        }
        guard isOver else { return }
        task.cancel()
        limit?.lift()
    }

    /// Lets all who wait go on. The first end counts.
    func end(_ end: Outcome) {
        let (task, limit) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.task, state.limit)
        }
        // First, or the task's own end, which the cancellation brings about, could come before.
        outcome.resolve(end)
        // Does nothing to a task that has come to its end by itself.
        task?.cancel()
        limit?.lift()
    }
}
