public import Pipeline

/// Sends a request again that failed for a reason that may pass: a lost connection, a busy server.
///
/// It repeats what may be sent twice (``RetryPolicy/methods``), after failures of the connection and after the statuses 408,
/// 425, 429, 500, 502, 503 and 504, up to three attempts in all. It waits as long as `Retry-After` asks, otherwise a pause
/// left to chance below 0.5, 1, 2 … seconds. All sends of a network pay for their retries out of one ``RetryBudget``, so that
/// an outage is not made worse.
///
///     let network = Network(baseURL: api, actions: [LoggingAction(), RetryAction(maxAttempts: 4)])
///
/// A request can bring a policy of its own (`NetworkRequest.retryPolicy`), and can say that it may be sent twice
/// (`NetworkRequest.isIdempotent`). Each decision about a failure, or an answer to repeat, is reported as a note that holds the ``RetryDecision``.
///
/// **Where it belongs:** in the hop zone, after authentication and caches, and before whatever must happen anew for each
/// attempt: circuit breakers, limits, compression, trace context, signing. It repeats the hop that failed, not the send.
///
/// **What it may send twice:** requests whose method is idempotent (RFC 9110, section 9.2.2), those that carry an
/// `Idempotency-Key`, those that say so themselves; and any request that cannot have reached the server.
///
/// **What it never does:** repeat a POST that may have arrived, unless told so; repeat what was cancelled or ran into its
/// total time limit, or failed because a server could not prove who it is; send a body twice that can be read once only;
/// wait beyond the total time limit: such a pause is refused at once, and the error says so; come back earlier than a server
/// asked, unless a decision of yours says so.
///
/// **How to test:** put it on a network over the `ConversationTransport` of `PipelineTesting` with a `ManualClock`, answer
/// with 503, look at `nextPause()`, and move the clock. A decision by itself is a value: ``RetryDecision``.
public struct RetryAction: RequestBeganAction, ResponseCompletedAction {
    /// What is repeated, how often, and after which pause.
    public let policy: RetryPolicy

    /// What retries are paid out of; `nil` if they cost nothing.
    public let budget: RetryBudget?

    private let generator: SharedGenerator

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - policy: What is repeated, how often, and after which pause; ``RetryPolicy/standard`` unless told otherwise.
    ///   - budget: What retries are paid out of; one of its own unless told otherwise. `nil` if they cost nothing.
    ///   - generator: The source of randomness for pauses; the system's unless told otherwise. Tests pass a seeded one.
    public init(
        _ policy: RetryPolicy = .standard,
        budget: RetryBudget? = RetryBudget(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.policy = policy
        self.budget = budget
        self.generator = SharedGenerator(generator)
    }

    /// Creates the action with the standard policy but for the number of attempts.
    ///
    /// - Parameter maxAttempts: How often a request is tried, the first time included.
    public init(maxAttempts: Int) {
        var policy = RetryPolicy.standard
        policy.maxAttempts = maxAttempts
        self.init(policy)
    }

    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [RetryPolicyKey.self, IdempotenceKey.self] }

    /// What paid for the last retry of the send, for each budget.
    private enum Payments: ContextKey {
        static let defaultValue: [ObjectIdentifier: RetryPayment] = [:]
    }

    public func requestBegan(_ request: NetworkRequest) {
        guard let budget else { return }
        request.context.store[Payments.self][ObjectIdentifier(budget)]?.spend()
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let policy = request.retryPolicy ?? policy
        let opinion = await opinion(of: policy, on: outcome, to: request)
        switch paidFor(decide(policy, opinion, on: outcome, to: request), for: request) {
        case .leave:
            refill(after: request)
            return .deliver(try outcome.get())
        case .retry(let pause, let cause):
            if policy.waitsForNetwork, case .failure = cause, case .failure(let error) = outcome {
                try await request.context.waitForNetwork(for: request, after: error)
            }
            return .retry(after: pause)
        case .giveUp(_, .pauseOutlastsDeadline(let pause, _)):
            return .retry(after: pause)  // The engine refuses it, and then the error tells the caller why.
        case .giveUp(_, .bodyNotReplayable):
            return .retry(after: .zero)  // The same.
        case .giveUp:
            return .deliver(try outcome.get())
        }
    }

    private func opinion(
        of policy: RetryPolicy,
        on outcome: Outcome,
        to request: NetworkRequest
    ) async -> RetryOpinion {
        guard let decide = policy.decide else { return .asUsual }
        if case .failure(let error) = outcome, RetryPolicy.neverRepeated.contains(error.code) { return .asUsual }
        return await decide(RetryCandidate(outcome: outcome, request: request, attempt: request.pass))
    }

    private func decide(
        _ policy: RetryPolicy,
        _ opinion: RetryOpinion,
        on outcome: Outcome,
        to request: NetworkRequest
    ) -> RetryDecision {
        var generator = generator
        return RetryDecision(
            on: outcome,
            to: request,
            attempt: request.pass,
            policy: policy,
            opinion: opinion,
            timeLeft: request.context.timeLeft,
            now: request.context.time.date,
            using: &generator
        )
    }

    /// Gives back what the last retry had cost, if there was one. Most sends need none and remember nothing.
    private func refill(after request: NetworkRequest) {
        guard let budget else { return }
        if let payment = exchange(nil, from: budget, of: request) {
            payment.giveBack()
        } else {
            budget.giveBack(nil)
        }
    }

    /// Pays for a retry, and reports what was decided.
    private func paidFor(_ decision: RetryDecision, for request: NetworkRequest) -> RetryDecision {
        if decision == .leave { return decision }
        var decision = decision
        if let budget {
            var payment: RetryPayment?
            if case .retry(_, let cause) = decision {
                payment = budget.pay(cause.isThrottling ? budget.throttlingCost : budget.cost)
                if payment == nil { decision = .giveUp(cause, .budgetSpent) }
            }
            exchange(payment, from: budget, of: request)
        }
        request.context.report(.note(action: "RetryAction", decision))
        return decision
    }

    /// Remembers what a retry is paid with, and returns what the one before was.
    @discardableResult
    private func exchange(
        _ payment: RetryPayment?,
        from budget: RetryBudget,
        of request: NetworkRequest
    ) -> RetryPayment? {
        let store = request.context.store
        var payments = store[Payments.self]
        let old = payments[ObjectIdentifier(budget)]
        guard old != nil || payment != nil else { return nil }
        payments[ObjectIdentifier(budget)] = payment
        store[Payments.self] = payments
        return old
    }
}

extension Action where Self == RetryAction {
    /// Sends requests again that failed for a reason that may pass.
    ///
    /// - Parameter maxAttempts: How often a request is tried, the first time included; 3 unless told otherwise.
    public static func retry(maxAttempts: Int = 3) -> RetryAction { RetryAction(maxAttempts: maxAttempts) }

    /// Sends requests again that failed for a reason that may pass.
    ///
    /// - Parameters:
    ///   - policy: What is repeated, how often, and after which pause.
    ///   - budget: What retries are paid out of; one of its own unless told otherwise.
    public static func retry(_ policy: RetryPolicy, budget: RetryBudget? = RetryBudget()) -> RetryAction {
        RetryAction(policy, budget: budget)
    }
}
