public import Pipeline

/// How often requests may be sent.
public struct RateLimitPolicy: Sendable {
    /// A pace of requests.
    public struct Rate: Sendable, Hashable {
        /// How many requests; at least 1 counts.
        public var requests: Int
        /// In which time.
        public var period: Duration

        /// Creates a pace.
        ///
        /// - Parameters:
        ///   - requests: How many requests.
        ///   - period: In which time: `.seconds(1)`, `.seconds(60)`.
        public init(_ requests: Int, per period: Duration) {
            self.requests = requests
            self.period = period
        }

        /// So many requests a second.
        public static func perSecond(_ requests: Int) -> Rate { Rate(requests, per: .seconds(1)) }

        /// So many requests a minute.
        public static func perMinute(_ requests: Int) -> Rate { Rate(requests, per: .seconds(60)) }
    }

    /// What becomes of a request for which it is too early.
    public enum Excess: Sendable, Hashable {
        /// It waits its turn. One whose wait would outlast its total time limit fails at once.
        case waits
        /// It fails at once.
        case fails
    }

    /// Which requests are counted together. Those for which the closure gives `nil` are not limited.
    ///
    /// What it gives is told in errors and logs, so give a name and no secret: the hash of an API key, not the key.
    public typealias Key = @Sendable (NetworkRequest) -> String?

    /// The pace; if `nil` there is none, and only what servers say counts.
    public var rate: Rate?

    /// How many requests may follow one another at once after a quiet time; as many as ``Rate/requests`` if `nil`, at least
    /// 1. With 1 requests are spread evenly.
    public var burst: Int?

    /// What becomes of a request for which it is too early. It waits unless told otherwise.
    public var excess: Excess = .waits

    /// Whether what servers say of their limits is heeded: `Retry-After` with 429 and 503, `RateLimit` and its forerunners
    /// (``RateLimitHint``). So it is unless told otherwise.
    public var heedsHints = true

    /// The longest time that a server's word is taken for; 1 hour unless told otherwise. Longer ones are cut to it.
    public var longestHint: Duration = .seconds(3600)

    /// Which requests are counted together: those to one origin unless told otherwise.
    public var key: Key = RateLimitPolicy.perHost

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - rate: The pace; none if `nil`.
    ///   - burst: How many requests may follow one another at once after a quiet time.
    public init(_ rate: Rate?, burst: Int? = nil) {
        self.rate = rate
        self.burst = burst
    }

    /// Counts requests to one origin together.
    public static let perHost: Key = { Origin($0.url)?.description }

    /// Counts all requests together.
    public static let together: Key = { _ in "all requests" }

    var bucket: TokenBucket? {
        rate.map {
            let requests = max(1, $0.requests)
            return TokenBucket(interval: $0.period / requests, capacity: burst ?? requests)
        }
    }
}

/// Why a request was not sent: it was too early for it. The cause of a `rate-limited` error.
public struct RateLimitExceeded: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the request was counted under.
    public let key: String
    /// How long it would have had to wait.
    public let pause: Duration

    /// Which limit, and how long the wait would have been.
    public var description: String { "the limit of \(key) asks for a pause of \(pause)" }
}

/// What a ``RateLimitAction`` decided about a request, as its notes among the events say.
public enum RateLimitDecision: Sendable, Hashable, CustomStringConvertible {
    /// The request waits, as it looks for so long.
    case waits(Duration, key: String)
    /// The request has waited so long, and goes.
    case goes(after: Duration)
    /// The server said something about its limit.
    case heeds([RateLimitHint], key: String)

    public var description: String {
        switch self {
        case .waits(let pause, let key): "waits about \(pause) for the limit of \(key)"
        case .goes(let wait): "goes after \(wait)"
        case .heeds(let hints, let key):
            "\(key) says: " + hints.map(\.description).joined(separator: ", ")
        }
    }
}
