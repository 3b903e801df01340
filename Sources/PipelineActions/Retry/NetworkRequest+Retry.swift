public import Pipeline

/// How a request is repeated, if not as ``RetryAction`` does otherwise. Its name is `retryPolicy`.
public enum RetryPolicyKey: CustomPropertyKey {
    public static let name = "retryPolicy"
    public static let defaultValue: RetryPolicy? = nil
}

/// Whether sending a request twice does no more than sending it once. Its name is `isIdempotent`.
public enum IdempotenceKey: CustomPropertyKey {
    public static let name = "isIdempotent"
    public static let defaultValue: Bool? = nil
}

extension NetworkRequest {
    /// How this request is repeated; `nil`, as it is at first, for the policy of the ``RetryAction``.
    ///
    /// It takes the place of the whole policy: `request.retryPolicy = .never` for none at all.
    public var retryPolicy: RetryPolicy? {
        get { customProperties[RetryPolicyKey.self] }
        set { customProperties[RetryPolicyKey.self] = newValue }
    }

    /// Whether sending this request twice does no more than sending it once; `nil`, as it is at first, to go by its method
    /// (RFC 9110, section 9.2.2) and by its `Idempotency-Key`.
    ///
    /// Set it to `true` for a POST that only reads, and to `false` for a GET that does not. Set, it counts for more than the
    /// method, the key and ``RetryPolicy/methods``.
    public var isIdempotent: Bool? {
        get { customProperties[IdempotenceKey.self] }
        set { customProperties[IdempotenceKey.self] = newValue }
    }
}
