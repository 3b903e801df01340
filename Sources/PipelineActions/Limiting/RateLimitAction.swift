public import Pipeline

/// Sends no more often than a server likes: so many requests in so much time, and what the server itself says of its limits.
///
///     let network = Network(baseURL: api, actions: [RetryAction(), .rateLimit(.perSecond(10))])
///
/// **Pace.** Each origin, or each key of ``RateLimitPolicy/key``, has a bucket of tokens: each request takes one, and they come
/// back at the pace of ``RateLimitPolicy/rate``. A request that finds none waits, by priority, then by the start of its send;
/// or fails at once, as ``RateLimitPolicy/excess`` says. A wait that would outlast the total time limit is a `rate-limited` error
/// at once, with a ``RateLimitExceeded`` as its cause. What it is about was not sent then.
///
/// **Hints.** After a 429 or 503 with `Retry-After`, and while `RateLimit` or its forerunners say that nothing remains
/// (``RateLimitHint``), further requests under that key wait as well. A server's word is taken for up to
/// ``RateLimitPolicy/longestHint``.
///
/// **Where it belongs:** in the hop zone, further in than a retry, since a retry counts like any other request, and than a
/// cache, whose answers do not. Before a ``ConcurrencyLimitAction``, so that a request that waits for its time holds no permit.
///
/// **What it may send twice:** nothing; it never asks for a retry. A 429 goes to whoever is further out.
///
/// **What it never does:** change a request or a response. Sends made on behalf of others count like any.
///
/// **How to test:** with a `ManualClock`, on which its waits are pauses with the purpose `rate-limit`. Of those who wait under
/// one key one pauses at a time.
public struct RateLimitAction: RequestWillBeginAction, ResponseCompletedAction {
    private let policy: RateLimitPolicy
    private let limiter: RateLimiter

    /// Creates an action with buckets of its own. Copies share them, as do all networks that have it; their time source must
    /// be the same then.
    public init(_ policy: RateLimitPolicy) {
        self.policy = policy
        limiter = RateLimiter(policy)
    }

    /// Creates an action with buckets of its own. Copies share them.
    ///
    /// - Parameters:
    ///   - rate: The pace, for each origin; if `nil` there is none, and only what servers say counts.
    ///   - burst: How many requests may follow one another at once after a quiet time; as many as the rate has if `nil`.
    public init(_ rate: RateLimitPolicy.Rate?, burst: Int? = nil) {
        self.init(RateLimitPolicy(rate, burst: burst))
    }

    /// The hop zone.
    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [IgnoresRateLimit.self] }

    /// How many requests wait.
    public var waiting: Int { limiter.waiting }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        if !request.ignoresRateLimit, let key = policy.key(request) { try await limiter.pass(key, for: request) }
        return .proceed(request)
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        if policy.heedsHints, let response = outcome.anyResponse, let key = policy.key(request) {
            let time = request.context.time
            let hints = RateLimitHint.hints(in: response, at: time.date)
            if !hints.isEmpty {
                limiter.heed(hints, for: key, at: time.now)
                request.context.report(
                    .note(action: "RateLimitAction", RateLimitDecision.heeds(hints, key: key))
                )
            }
        }
        return .deliver(try outcome.get())
    }
}

extension Outcome {
    /// The response, also one that an error is about.
    fileprivate var anyResponse: NetworkResponse? {
        switch self {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }
}

extension Action where Self == RateLimitAction {
    /// Sends no more often than a pace allows, and servers say; see ``RateLimitAction``.
    ///
    /// - Parameters:
    ///   - rate: The pace, for each origin; none if `nil`.
    ///   - burst: How many requests may follow one another at once after a quiet time.
    public static func rateLimit(_ rate: RateLimitPolicy.Rate?, burst: Int? = nil) -> RateLimitAction {
        RateLimitAction(rate, burst: burst)
    }
}
