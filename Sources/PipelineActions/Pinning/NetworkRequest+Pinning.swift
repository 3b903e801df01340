public import Pipeline

enum IgnoresPinning: CustomPropertyKey {
    static let name = "ignoresPinning"
    static let defaultValue = false
}

extension NetworkRequest {
    /// Whether a ``PinningAction`` leaves the request alone, on all its hops. The event monitors are told. The certificate of
    /// the server is verified all the same. `false` unless told otherwise.
    public var ignoresPinning: Bool {
        get { customProperties[IgnoresPinning.self] }
        set { customProperties[IgnoresPinning.self] = newValue }
    }
}

/// What a ``PinningAction`` decided about a request, as its notes among the events say.
public enum PinningDecision: Sendable, Hashable, CustomStringConvertible {
    /// The request asked not to be pinned, though its host, or any, has a rule.
    case ignored(host: String)

    public var description: String {
        switch self {
        case .ignored(let host): "the pins of \(host) are ignored, as the request asks"
        }
    }
}
