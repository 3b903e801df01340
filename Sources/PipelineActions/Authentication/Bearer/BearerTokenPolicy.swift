public import Pipeline

/// Which requests a ``BearerTokenAction`` attaches tokens to, and when it renews them.
public struct BearerTokenPolicy: Sendable {
    /// What holds for requests that do not say whether they need authentication.
    public enum Requirement: Sendable, Hashable {
        /// They need a token; without one they are not sent.
        case required
        /// They get a token if there is one.
        case ifAvailable
        /// They get none.
        case never
    }

    /// What holds for requests that do not say whether they need authentication. They need it unless told otherwise.
    public var requirement = Requirement.required

    /// How long before its end a token is renewed. 60 seconds unless told otherwise, and never more than a quarter of the
    /// token's whole life. Clocks differ by less than that, as a rule.
    public var refreshesAhead = Duration.seconds(60)

    /// How long a refresh may take. 30 seconds unless told otherwise. Sends that wait for it keep their own limits besides.
    public var refreshTimeLimit = Duration.seconds(30)

    /// The statuses that say that the server does not take the token. 401 unless told otherwise (RFC 9110, section 15.5.2).
    public var refusedStatuses: HTTPStatusSet = [401]

    /// Decides whether an answer says that the server does not take the token, in the place of ``refusedStatuses``.
    ///
    /// For servers that say so in the body. A body that is gathered is there (`response.body.data`); of a stream look at the
    /// beginning only, which leaves it whole: `try await response.body.stream?.peek(upTo: 1024)`. What it throws ends the
    /// send.
    public var isRefused: (@Sendable (NetworkResponse) async throws -> Bool)?

    /// Whether the refresh closure can get a token where there is none: logs in with a password that it knows, or asks with
    /// the client's own credentials (RFC 6749, section 4.4). `false` unless told otherwise: then a missing token is an error.
    public var obtainsTokens = false

    /// Creates the default policy.
    public init() {}

    /// Whether a closer look is worth it.
    func mayRefuse(_ response: NetworkResponse) -> Bool {
        isRefused != nil || refusedStatuses.contains(response.status)
    }

    func refuses(_ response: NetworkResponse) async throws -> Bool {
        guard let isRefused else { return refusedStatuses.contains(response.status) }
        return try await isRefused(response)
    }
}
