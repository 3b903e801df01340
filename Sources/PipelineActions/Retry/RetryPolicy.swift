public import Pipeline

/// What is repeated, how often, and after which pause.
///
///     var policy = RetryPolicy.standard
///     policy.maxAttempts = 5
///     policy.backoff = .twoFourEight
///
/// Some failures are never repeated, whatever a policy says (``neverRepeated``): cancellation, the end of the total time
/// limit, a server that cannot prove who it is, a request that cannot be sent, an answer that cannot be read.
public struct RetryPolicy: Sendable {
    /// Which requests may be sent twice, where the first may have reached the server.
    public enum Methods: Sendable, Hashable {
        /// Those whose method is idempotent: GET, HEAD, OPTIONS, TRACE, PUT and DELETE (RFC 9110, section 9.2.2).
        case idempotent
        /// Those with one of these methods.
        case only(Set<HTTPMethod>)
        /// All of them. An order can then be placed twice: for servers that are known to sort out repeated requests.
        case all
    }

    /// How often a request is tried, the first time included; 3 unless told otherwise. One means no retry.
    ///
    /// Each hop of a send is counted by itself, and so is each time an action further out tries again. All retries of a send
    /// together have a bound of their own, 20 unless told otherwise: ``/Pipeline/NetworkConfiguration/maximumRetries``.
    public var maxAttempts = 3

    /// Which requests may be sent twice, where the first may have reached the server; those with an idempotent method unless
    /// told otherwise.
    ///
    /// Any other request is repeated in three cases only: it carries an `Idempotency-Key` field, it says so itself
    /// (`NetworkRequest.isIdempotent`), or it cannot have reached the server
    /// (``/Pipeline/NetworkError/reach-swift.property``).
    public var methods = Methods.idempotent

    /// The statuses after which a request is repeated, whether or not it accepts them.
    ///
    /// Unless told otherwise 408, 425, 429, 500, 502, 503 and 504.
    public var statuses: HTTPStatusSet = [408, 425, 429, 500, 502, 503, 504]

    /// The statuses after which a request is repeated if the server says when, in `Retry-After`; 413 unless told otherwise
    /// (RFC 9110, section 15.5.14).
    public var statusesWithRetryAfter: HTTPStatusSet = [413]

    /// The failures after which a request is repeated; ``standardFailures`` unless told otherwise.
    public var failures: Set<NetworkError.Code> = Self.standardFailures

    /// How long to wait where the server does not say.
    public var backoff = Backoff.exponential

    /// How long to wait after 429 where the server does not say. Twice as long as otherwise, unless told otherwise: a server
    /// that is well and asks to slow down is not helped by haste.
    public var throttlingBackoff = Backoff.exponential(base: .seconds(1))

    /// Whether a retry waits until there is a network, before its pause, if the monitor of the network is sure that there is
    /// none. False unless told otherwise: then attempts that fail for want of a network are used up like others.
    ///
    /// It waits no longer than the total time limit, and tells event monitors (``/Pipeline/SendEvent/Kind/waitingForNetwork(_:)``).
    /// A request whose policy is ``/Pipeline/OfflinePolicy/wait`` waits in any case, before its attempts.
    public var waitsForNetwork = false

    /// The longest pause that a server may ask for in `Retry-After`; 60 seconds unless told otherwise.
    ///
    /// One that asks for more is not asked again: the response is handed up at once, with the field, for the application to
    /// come back later. To return earlier than asked would be in vain and unkind.
    public var longestRetryAfter: Duration = .seconds(60)

    /// A decision of the application's own, which is asked about every outcome first; none unless told otherwise.
    ///
    /// It is asked about successes too, since some servers report failures with status 200. It does not decide whether a
    /// request may be sent twice: that stays with ``methods``. It is not asked about what is never repeated.
    ///
    ///     policy.decide = { candidate in
    ///         guard candidate.status == 200 else { return .asUsual }
    ///         let start = await candidate.bodyPrefix(upTo: 1024)
    ///         return start.contains(Data("\"try_again\"".utf8)) ? .retry() : .asUsual
    ///     }
    public var decide: (@Sendable (RetryCandidate) async -> RetryOpinion)?

    /// Creates the standard policy.
    public init() {}

    /// Three attempts for what may be sent twice, with growing pauses that are left to chance.
    public static let standard = RetryPolicy()

    /// No retry at all.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maxAttempts = 1
        return policy
    }()

    /// The failures of connections that may pass: no network, no address, a connection that was refused, not made, not made
    /// in time or lost, a body that broke off, silence beyond the idle limit, an attempt beyond its limit.
    ///
    /// Failures without a code of their own are not among them: what nobody recognised may be a matter of trust.
    public static let standardFailures: Set<NetworkError.Code> = [
        .offline, .hostNotFound, .connectionRefused, .connectionFailed, .connectionLost, .truncated,
        .timedOutConnecting, .timedOutIdle, .timedOutAttempt,
    ]

    /// The failures that are never repeated, whatever a policy or a decision of one's own says.
    public static let neverRepeated: Set<NetworkError.Code> = [
        .cancelled, .timedOut, .invalidRequest, .encodingFailed, .bodyNotReplayable, .tlsUntrusted, .tlsExpired,
        .tlsWrongHost, .tlsHandshake, .pinMismatch, .pinningUnsupported, .redirectRefused, .emptyBody, .decodingFailed,
        .bodyAlreadyRead, .optionUnsupported, .completionDropped, .sendEnded,
    ]
}
