/// How many cookies a jar keeps, and how large (RFC 6265, section 6.1, whose minimums are the defaults).
///
/// When a limit is passed, cookies that have expired go first; then those that are not secure before those that are, and
/// among them those that were not used for longest.
public struct CookieLimits: Sendable, Hashable {
    /// How many cookies of one domain. 50 by default.
    public var perDomain: Int

    /// How many cookies in all. 3,000 by default.
    public var total: Int

    /// The bytes of name and value together. 4,096 by default; a larger cookie is refused.
    public var size: Int

    /// Creates limits.
    ///
    /// - Precondition: `perDomain` and `total` are at least 1.
    public init(perDomain: Int = 50, total: Int = 3000, size: Int = 4096) {
        precondition(perDomain >= 1 && total >= 1, "a jar needs room for a cookie, got \(perDomain) and \(total)")
        self.perDomain = perDomain
        self.total = total
        self.size = size
    }
}
