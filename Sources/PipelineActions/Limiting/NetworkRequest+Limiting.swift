public import Pipeline

enum IgnoresConcurrencyLimit: CustomPropertyKey {
    static let name = "ignoresConcurrencyLimit"
    static let defaultValue = false
}

enum IgnoresRateLimit: CustomPropertyKey {
    static let name = "ignoresRateLimit"
    static let defaultValue = false
}

extension NetworkRequest {
    /// Whether a ``ConcurrencyLimitAction`` lets the request pass without a permit: for one that stays open for long, such
    /// as a stream of events, and would keep a place from others. `false` unless told otherwise.
    public var ignoresConcurrencyLimit: Bool {
        get { customProperties[IgnoresConcurrencyLimit.self] }
        set { customProperties[IgnoresConcurrencyLimit.self] = newValue }
    }

    /// Whether a ``RateLimitAction`` lets the request pass without counting it: for one that the server does not count. What
    /// the answer says of the limit is heeded all the same. `false` unless told otherwise.
    public var ignoresRateLimit: Bool {
        get { customProperties[IgnoresRateLimit.self] }
        set { customProperties[IgnoresRateLimit.self] = newValue }
    }
}
