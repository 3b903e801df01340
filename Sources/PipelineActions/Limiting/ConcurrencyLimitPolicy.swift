/// How many requests may be under way at once.
public struct ConcurrencyLimitPolicy: Sendable, Hashable {
    /// How many in all; any number if `nil`. Less than 1 counts as 1.
    public var maximumConcurrentRequests: Int?

    /// How many at one host, that is one ``/Pipeline/Origin``: scheme, name and port; any number if `nil`. Less than 1
    /// counts as 1.
    public var maximumConcurrentRequestsPerHost: Int?

    /// After how many others, who came later and went first, a waiting request goes next. 20 unless told otherwise; with 0
    /// priorities hardly count.
    public var overtakingLimit: Int

    /// Creates a policy.
    public init(
        maximumConcurrentRequests: Int? = nil,
        maximumConcurrentRequestsPerHost: Int? = nil,
        overtakingLimit: Int = 20
    ) {
        self.maximumConcurrentRequests = maximumConcurrentRequests
        self.maximumConcurrentRequestsPerHost = maximumConcurrentRequestsPerHost
        self.overtakingLimit = overtakingLimit
    }
}

/// What a ``ConcurrencyLimitAction`` decided about a request, as its notes among the events say.
public enum ConcurrencyLimitDecision: Sendable, Hashable, CustomStringConvertible {
    /// The request waits, behind or before so many that wait already.
    case waits(others: Int)
    /// The request has waited so long, and goes.
    case goes(after: Duration)
    /// The request goes at once, on the permit of the send on whose behalf it was made.
    case rides

    public var description: String {
        switch self {
        case .waits(let others): "waits for a permit, as do \(others) others"
        case .goes(let wait): "has a permit after \(wait)"
        case .rides: "rides on the permit of the send it was made for"
        }
    }
}
