public import Pipeline

/// Which token a request uses.
///
/// A ``TokenVault`` has one for all requests; a request that needs another says so
/// (`tokenStrategy`). So all kinds can be mixed.
public enum TokenStrategy: Sendable, Hashable {
    /// The one token that is for all requests.
    case global
    /// A token for each type of request (``/Pipeline/Request/requestType``): an endpoint enumeration has its own.
    case requestType
    /// The token that goes by this label.
    case label(String)

    /// The scope that a request of some type uses.
    public func scope(for type: any Request.Type) -> TokenScope {
        switch self {
        case .global: .global
        case .requestType: .type(type)
        case .label(let label): .label(label)
        }
    }
}

/// Which token a request uses, where that is not as the vault has it. By name it is
/// `["tokenStrategy": TokenStrategy.label("admin")]`.
public enum RequestTokenStrategy: CustomPropertyKey {
    public static let name = "tokenStrategy"
    public static let defaultValue: TokenStrategy? = nil
}

extension NetworkRequest {
    /// Which token the request uses. `nil`, the default, leaves it to the strategy of the ``TokenVault``.
    public var tokenStrategy: TokenStrategy? {
        get { customProperties[RequestTokenStrategy.self] }
        set { customProperties[RequestTokenStrategy.self] = newValue }
    }
}
