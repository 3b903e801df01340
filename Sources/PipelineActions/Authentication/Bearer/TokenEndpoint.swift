public import Pipeline

/// An ``/Pipeline/Endpoint`` that says for each case whether it needs an access token, and which.
///
///     enum Todos: TokenEndpoint {
///         case all, add(Draft), serverTime
///
///         var requiresAccessToken: Bool? { if case .serverTime = self { false } else { true } }
///         var tokenStrategy: TokenStrategy? { .requestType }
///
///         var path: EndpointPath { … }
///     }
///
/// A ``BearerTokenAction`` in the network reads it. An enumeration with custom properties of its own merges them with
/// ``tokenProperties``.
public protocol TokenEndpoint: Endpoint {
    /// Whether the request needs an access token: `true`, `false`, or `nil`, the default, for what the action has as its
    /// own.
    var requiresAccessToken: Bool? { get }

    /// Which token the request uses: the global one, that of the enumeration, or that of a label. `nil`, the default, leaves
    /// it to the ``TokenVault``.
    var tokenStrategy: TokenStrategy? { get }
}

extension TokenEndpoint {
    /// What the action has as its default.
    public var requiresAccessToken: Bool? { nil }

    /// What the vault has as its default.
    public var tokenStrategy: TokenStrategy? { nil }

    /// ``requiresAccessToken`` and ``tokenStrategy`` as the action reads them.
    public var tokenProperties: CustomProperties {
        var properties = CustomProperties()
        if let requiresAccessToken { properties[RequiresAuthentication.self] = requiresAccessToken }
        if let tokenStrategy { properties[RequestTokenStrategy.self] = tokenStrategy }
        return properties
    }

    /// The ``tokenProperties``.
    public var customProperties: CustomProperties { tokenProperties }
}

/// An ``/Pipeline/Endpoint`` of which one case renews the access token of the others.
///
///     enum Todos: RenewingEndpoint {
///         case all, renew(String)
///
///         static func renewal(for refresh: TokenRefresh) throws -> (Todos, as: Login.Type) {
///             (.renew(try refresh.refreshToken), as: Login.self)
///         }
///     }
///
///     let network = Network(baseURL: api, actions: [BearerTokenAction(tokens, renewedBy: Todos.self)])
public protocol RenewingEndpoint: TokenEndpoint {
    /// What the answer of the renewal is read as: ``AccessToken`` or a type of the application's.
    associatedtype RenewedToken: Decodable, AccessTokenConvertible

    /// The endpoint that gets a new token, and what its answer is read as.
    ///
    /// It is sent without a bearer token. An answer of 400, 401 or 403 ends the login, and so does a ``RefreshRejection``
    /// thrown here; after any other error the old token stays.
    static func renewal(for refresh: TokenRefresh) throws -> (Self, as: RenewedToken.Type)
}

extension BearerTokenAction {
    /// Creates an action that renews tokens by an endpoint.
    ///
    /// - Parameters:
    ///   - tokens: Where the tokens are.
    ///   - origins: Where they may go; to the origin of the network's base URL unless told otherwise. For a scope other than
    ///     the global one, the base URL of the endpoint counts in its place, if it has one of its own.
    ///   - policy: Which requests get a token, and when it is renewed.
    ///   - endpoint: The enumeration that has the endpoint.
    public init<E: RenewingEndpoint>(
        _ tokens: TokenVault,
        origins: CredentialOrigins = .baseURL,
        policy: BearerTokenPolicy = BearerTokenPolicy(),
        renewedBy endpoint: E.Type
    ) {
        self.init(tokens, origins: origins, policy: policy) { refresh in
            let (renewal, type) = try E.renewal(for: refresh)
            return try await refresh.network.send(renewal.as(type))
        }
    }
}
