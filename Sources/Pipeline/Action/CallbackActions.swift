/// A ``RequestWillBeginAction`` for code that lives on completion handlers.
public protocol RequestWillBeginCallbackAction: RequestWillBeginAction {
    /// Changes the request, answers it, or refuses it, and calls `completion` with the decision.
    ///
    /// - Parameters:
    ///   - request: The request as the actions further out made it.
    ///   - completion: To be called once, from any thread. Letting go of it without a call is a `completion-dropped`
    ///     error; further calls are ignored and reported.
    func requestWillBegin(_ request: NetworkRequest, completion: ActionCompletion<RequestDecision>)
}

extension RequestWillBeginCallbackAction {
    /// Waits for the completion form to decide.
    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        try await ActionCompletion.decision(by: typeName, in: request.context) { completion in
            requestWillBegin(request, completion: completion)
        }
    }
}

/// A ``ResponseCompletedAction`` for code that lives on completion handlers.
public protocol ResponseCompletedCallbackAction: ResponseCompletedAction {
    /// Passes the outcome on, changes it, or asks for a retry, and calls `completion` with the decision.
    ///
    /// - Parameters:
    ///   - outcome: What came back.
    ///   - request: The request as this action passed it on.
    ///   - completion: To be called once, from any thread. Letting go of it without a call is a `completion-dropped`
    ///     error; further calls are ignored and reported.
    func responseCompleted(
        _ outcome: Outcome,
        for request: NetworkRequest,
        completion: ActionCompletion<ResponseDecision>
    )
}

extension ResponseCompletedCallbackAction {
    /// Waits for the completion form to decide.
    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        try await ActionCompletion.decision(by: typeName, in: request.context) { completion in
            responseCompleted(outcome, for: request, completion: completion)
        }
    }
}

/// What a callback action calls when it has decided.
///
///     completion(.proceed(request))
///     completion(throwing: LoginRequired())
public struct ActionCompletion<Decision: Sendable>: Sendable {
    private let guardian: Guardian

    /// Decides.
    public func callAsFunction(_ decision: Decision) {
        guardian.call(.success(decision))
    }

    /// Fails.
    public func callAsFunction(throwing error: any Error) {
        guardian.call(.failure(error))
    }

    /// Decides or fails.
    public func callAsFunction(_ result: Result<Decision, any Error>) {
        guardian.call(result)
    }

    /// Runs the completion form of a hook and waits for its decision, or for the task to be cancelled.
    static func decision(
        by action: String,
        in context: SendContext,
        _ start: (ActionCompletion<Decision>) -> Void
    ) async throws -> Decision {
        // The cancellation handler holds the verdict and not the guardian: the guardian must go when the action lets go.
        let verdict = OneShot<Result<Decision, any Error>>()
        return try await withTaskCancellationHandler {
            start(ActionCompletion(guardian: Guardian(verdict: verdict, action: action, context: context)))
            return try await verdict.value().get()
        } onCancel: {
            verdict.resolve(.failure(CancellationError()))
        }
    }

    /// Counts the calls, and notices when nobody can make one any more.
    private final class Guardian: Sendable {
        private let verdict: OneShot<Result<Decision, any Error>>
        private let action: String
        private let context: SendContext
        private let wasCalled = Locked(false)

        init(verdict: OneShot<Result<Decision, any Error>>, action: String, context: SendContext) {
            self.verdict = verdict
            self.action = action
            self.context = context
        }

        func call(_ result: Result<Decision, any Error>) {
            let isFirst = wasCalled.withLock { wasCalled in
                defer { wasCalled = true }
                return !wasCalled
            }
            if isFirst {
                verdict.resolve(result)
            } else {
                context.report(.misuse(action: action, "called its completion handler again; the call was ignored"))
            }
        }

        deinit {
            verdict.resolve(.failure(NetworkError(.completionDropped)))
        }
    }
}
