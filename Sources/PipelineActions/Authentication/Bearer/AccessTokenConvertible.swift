/// A type of the application's that holds an access token: what its login or token endpoint answers with.
///
///     struct Login: Decodable, AccessTokenConvertible {
///         var jwt: String
///         var renewal: String
///         var validForMinutes: Int
///
///         func makeAccessToken() -> AccessToken {
///             AccessToken(jwt, refreshToken: renewal, expiresIn: .seconds(60 * validForMinutes))
///         }
///     }
///
/// Wherever a token is taken, one of these is too.
public protocol AccessTokenConvertible: Sendable {
    /// Makes the access token.
    ///
    /// - Throws: Anything, if there is none in it. While a token is being refreshed, that is a failed refresh.
    func makeAccessToken() throws -> AccessToken
}

extension AccessToken: AccessTokenConvertible {
    /// The token itself.
    public func makeAccessToken() -> AccessToken { self }
}
