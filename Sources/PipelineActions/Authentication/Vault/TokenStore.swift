/// Where tokens are kept while the program does not run, or for as long as it does.
///
/// **Which one do I need?** ``MemoryTokenStore`` if a login lasts as long as the program, which is also what a
/// ``TokenVault`` has unless told otherwise. `KeychainTokenStore` on Apple's platforms, ``FileTokenStore`` elsewhere, if it
/// is to last longer.
///
/// **How do I use one?** Give it to a vault and leave it alone: `TokenVault(store: FileTokenStore(url))`. The vault reads
/// each scope once and remembers it; it calls its store one call at a time, in the order in which things happened.
///
/// **How do I write my own?** Keep tokens by ``TokenScope/key``. A token is `Codable`. What you throw does not harm a send
/// that has its token in memory. Never write a token to a log.
///
/// **How do I test with it?** Code that uses a vault needs nothing but a ``MemoryTokenStore``.
public protocol TokenStore: Sendable {
    /// The token of a scope; `nil` if there is none.
    func token(for scope: TokenScope) async throws -> AccessToken?

    /// Keeps a token for a scope, in place of one that is there.
    func setToken(_ token: AccessToken, for scope: TokenScope) async throws

    /// Removes the token of a scope, if there is one.
    func removeToken(for scope: TokenScope) async throws

    /// Removes the tokens of all scopes.
    func removeAllTokens() async throws
}
