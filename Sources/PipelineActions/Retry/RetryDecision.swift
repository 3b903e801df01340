public import Foundation
public import Pipeline

/// What ``RetryAction`` does with an outcome, and why: a pure decision, and the note that it reports.
///
///     retry after 0.31 seconds: status 503
///     no retry after status 503: POST is not idempotent, and the request may have reached the server
public enum RetryDecision: Sendable, Hashable, CustomStringConvertible {
    /// The outcome is an answer that the policy does not repeat, so it is handed on.
    case leave
    /// The request is sent again after a pause.
    case retry(after: Duration, Cause)
    /// The outcome is a failure or one to repeat, and it stands all the same.
    case giveUp(Cause, Obstacle)

    /// What there is to repeat a request for.
    public enum Cause: Sendable, Hashable, CustomStringConvertible {
        /// A status of the policy.
        case status(HTTPStatus)
        /// A failure of the policy.
        case failure(NetworkError.Code)
        /// A decision of the application's own.
        case opinion

        public var description: String {
            switch self {
            case .status(let status): "status \(status.code)"
            case .failure(let code): code.rawValue
            case .opinion: "the application's own decision"
            }
        }
    }

    /// Why a request is not repeated.
    public enum Obstacle: Sendable, Hashable, CustomStringConvertible {
        /// The failure is one that is never repeated.
        case neverRepeated
        /// The failure is none that the policy repeats.
        case notInPolicy
        /// The application's own decision was against it.
        case opinion
        /// Sending the request twice may do more than sending it once; its method.
        case notIdempotent(HTTPMethod)
        /// All attempts are used up; how many there were.
        case noAttemptsLeft(Int)
        /// The server asks for a longer pause than the policy grants.
        case pauseTooLong(asked: Duration, longest: Duration)
        /// The body can be read once only, and it has been.
        case bodyNotReplayable
        /// The pause would outlast the total time limit.
        case pauseOutlastsDeadline(pause: Duration, left: Duration)
        /// The budget of retries is spent.
        case budgetSpent

        public var description: String {
            switch self {
            case .neverRepeated: "it is never repeated"
            case .notInPolicy: "the policy does not repeat it"
            case .opinion: "so the application decided"
            case .notIdempotent(let method): "\(method) is not idempotent, and the request may have reached the server"
            case .noAttemptsLeft(let count): "\(count) of \(count) attempts are made"
            case .pauseTooLong(let asked, let longest):
                "the server asks for \(asked), and \(longest) is the longest pause"
            case .bodyNotReplayable: "the body can be read once only"
            case .pauseOutlastsDeadline(let pause, let left):
                "a pause of \(pause) would outlast the \(left) that are left"
            case .budgetSpent: "the budget of retries is spent"
            }
        }
    }

    public var description: String {
        switch self {
        case .leave: "nothing to repeat"
        case .retry(let pause, let cause): "retry after \(pause): \(cause)"
        case .giveUp(let cause, let obstacle): "no retry after \(cause): \(obstacle)"
        }
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - outcome: What came back.
    ///   - request: The request that it came back to.
    ///   - attempt: Which attempt this was, counted from 1.
    ///   - policy: The rules. Its ``RetryPolicy/decide`` is not asked; what it said is `opinion`.
    ///   - opinion: What the application's own decision came to.
    ///   - timeLeft: What is left of the total time limit, if there is one.
    ///   - now: The present on the wall clock.
    ///   - generator: The source of randomness.
    public init(
        on outcome: Outcome,
        to request: NetworkRequest,
        attempt: Int,
        policy: RetryPolicy,
        opinion: RetryOpinion = .asUsual,
        timeLeft: Duration? = nil,
        now: Date,
        using generator: inout some RandomNumberGenerator
    ) {
        let usual = Self.cause(in: outcome, policy, now: now)
        guard let cause = opinion.isRetry ? usual ?? .opinion : usual else {
            self = .leave
            return
        }
        let asked = outcome.response.flatMap { RetryAfter(in: $0.headers, now: now) }?.delay(from: now)
        if let obstacle = Self.obstacle(on: outcome, to: request, attempt, policy, opinion) {
            self = .giveUp(cause, obstacle)
            return
        }
        let pause: Duration
        if case .retry(let wanted?) = opinion {
            pause = max(.zero, wanted)
        } else if let asked {
            guard asked <= policy.longestRetryAfter else {
                self = .giveUp(cause, .pauseTooLong(asked: asked, longest: policy.longestRetryAfter))
                return
            }
            pause = asked
        } else {
            let backoff = cause.isThrottling ? policy.throttlingBackoff : policy.backoff
            pause = backoff.pause(after: attempt, using: &generator)
        }
        if !request.body.canBeSent {
            self = .giveUp(cause, .bodyNotReplayable)
        } else if let timeLeft, pause > .zero, pause >= timeLeft {
            self = .giveUp(cause, .pauseOutlastsDeadline(pause: pause, left: timeLeft))
        } else {
            self = .retry(after: pause, cause)
        }
    }

    /// What there is to repeat the request for: a status of the policy, and every failure, so that it is told why one is not
    /// repeated.
    private static func cause(in outcome: Outcome, _ policy: RetryPolicy, now: Date) -> Cause? {
        switch outcome {
        case .success(let response):
            let status = response.status
            if policy.statuses.contains(status) { return .status(status) }
            guard policy.statusesWithRetryAfter.contains(status) else { return nil }
            return RetryAfter(in: response.headers, now: now).map { _ in .status(status) }
        case .failure(let error):
            return .failure(error.code)
        }
    }

    private static func obstacle(
        on outcome: Outcome,
        to request: NetworkRequest,
        _ attempt: Int,
        _ policy: RetryPolicy,
        _ opinion: RetryOpinion
    ) -> Obstacle? {
        if case .failure(let error) = outcome {
            if RetryPolicy.neverRepeated.contains(error.code) { return .neverRepeated }
            if !opinion.isRetry, !policy.failures.contains(error.code) { return .notInPolicy }
        }
        if opinion == .giveUp { return .opinion }
        if !policy.permitsRepeating(request), outcome.mayHaveReachedServer { return .notIdempotent(request.method) }
        return attempt >= policy.maxAttempts ? .noAttemptsLeft(max(1, policy.maxAttempts)) : nil
    }
}

extension RetryDecision.Cause {
    /// Whether the server is well and only asks to slow down (RFC 6585, section 4).
    var isThrottling: Bool { self == .status(.tooManyRequests) }
}

extension RetryPolicy {
    /// Whether a request may be sent twice, although the first may have reached the server.
    fileprivate func permitsRepeating(_ request: NetworkRequest) -> Bool {
        if let own = request.customProperties[IdempotenceKey.self] { return own }
        if request.headers.contains(.idempotencyKey) { return true }
        switch methods {
        case .idempotent: return request.method.isIdempotent
        case .only(let methods): return methods.contains(request.method)
        case .all: return true
        }
    }
}

extension RetryOpinion {
    fileprivate var isRetry: Bool { if case .retry = self { true } else { false } }
}

extension Outcome {
    /// The response that arrived.
    fileprivate var response: NetworkResponse? { try? get() }

    /// A response shows that the request was there; of a failure its error knows.
    fileprivate var mayHaveReachedServer: Bool {
        switch self {
        case .success: true
        case .failure(let error): error.reach != .no
        }
    }
}
