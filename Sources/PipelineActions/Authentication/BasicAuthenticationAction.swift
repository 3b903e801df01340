import Foundation
public import Pipeline

/// Sends a user name and a password with each request (RFC 7617).
///
///     let network = Network(baseURL: api, actions: [try .basic(user: "ada", password: password)])
///
/// They go along from the first request on, in UTF-8, without waiting to be asked. Basic authentication hides nothing: whoever
/// sees the request has the password. So it goes over https only, or to this machine.
///
/// **Where it belongs:** first in the hop zone, before a cache and before retrying. In the hop zone, since the credential
/// belongs to certain origins and each hop is judged by itself.
///
/// **What it may send twice:** nothing. A 401 is delivered: the same password again would be refused again.
///
/// **What it never does:** it attaches nothing outside its ``CredentialOrigins``, nor once the send has left them; nothing to a
/// request that has an `Authorization` field of its own, or whose `requiresAuthentication` is
/// `false`.
///
/// **How to test:** look at the `Authorization` field of the requests that a `ScriptedTransport` was sent.
public struct BasicAuthenticationAction: RequestWillBeginAction {
    private let value: Secret<String>
    private let origins: CredentialOrigins

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - credential: User name and password.
    ///   - origins: Where they belong; to the origin of the network's base URL unless told otherwise.
    /// - Throws: `MalformedValue` for a colon in the user name, which would end it (RFC 7617, section 2).
    public init(_ credential: PasswordCredential, origins: CredentialOrigins = .baseURL) throws(MalformedValue) {
        guard !credential.user.utf8.contains(UInt8(ascii: ":")) else {
            throw MalformedValue(
                kind: "user name",
                name: "…",
                reason: "no colon in basic authentication, where it ends the name (RFC 7617, section 2)"
            )
        }
        value = Secret("Basic " + Data("\(credential.user):\(credential.password)".utf8).base64EncodedString())
        self.origins = origins
    }

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    ///   - origins: Where they belong; to the origin of the network's base URL unless told otherwise.
    /// - Throws: `MalformedValue` for a colon in the user name and for control characters (RFC 7617, section 2).
    public init(user: String, password: String, origins: CredentialOrigins = .baseURL) throws(MalformedValue) {
        try self.init(PasswordCredential(user: user, password: password), origins: origins)
    }

    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [RequiresAuthentication.self] }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let isTaken = request.headers.contains(.authorization)
        guard let bound = try origins.attachment(to: request, by: "BasicAuthenticationAction", unless: isTaken) else {
            return .proceed(request)
        }
        var request = request
        request.headers.setSensitive(value.value, for: .authorization, origins: bound)
        return .proceed(request)
    }
}

extension Action where Self == BasicAuthenticationAction {
    /// Sends a user name and a password with each request; see ``BasicAuthenticationAction``.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    ///   - origins: Where they belong; to the origin of the network's base URL unless told otherwise.
    /// - Throws: `MalformedValue` for a colon in the user name and for control characters (RFC 7617, section 2).
    public static func basic(
        user: String,
        password: String,
        origins: CredentialOrigins = .baseURL
    ) throws(MalformedValue) -> BasicAuthenticationAction {
        try BasicAuthenticationAction(user: user, password: password, origins: origins)
    }
}
