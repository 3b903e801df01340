public import Pipeline

/// What a refresh is given: which token to renew, and a network to do it with.
///
///     BearerTokenAction(tokens) { refresh in
///         try await refresh.network.send(RenewToken(with: refresh.refreshToken))
///     }
public struct TokenRefresh: Sendable, CustomStringConvertible, CustomReflectable {
    /// The scope whose token is to be renewed.
    public let scope: TokenScope

    /// The token as it is now. It is `nil` only for an action that obtains tokens where there are none
    /// (``BearerTokenPolicy/obtainsTokens``).
    public let token: AccessToken?

    /// The network of the send that set the refresh off, without actions that attach bearer tokens: what is sent through it
    /// does not wait for this refresh. It is not cancelled with that send.
    public let network: Network

    /// The refresh token of ``token``.
    ///
    /// - Throws: ``RefreshRejection`` if there is none: then only a login helps.
    public var refreshToken: String {
        get throws {
            guard let refreshToken = token?.refreshToken else {
                throw RefreshRejection("there is no refresh token")
            }
            return refreshToken
        }
    }

    public var description: String { "TokenRefresh(\(scope))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["scope": scope.key, "token": token?.description ?? "none"], displayStyle: .struct)
    }
}

/// What a refresh throws if the server will not renew the token, now or later: somebody has to log in again.
///
/// An answer of 400, 401 or 403 means the same without it.
public struct RefreshRejection: Error, Sendable, CustomStringConvertible {
    /// Why, without a secret.
    public let reason: String

    /// Creates a rejection.
    ///
    /// - Parameter reason: Why, without a secret.
    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
