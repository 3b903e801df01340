/// How an action renews tokens.
struct TokenRefresher: Sendable {
    var policy: BearerTokenPolicy
    let run: @Sendable (TokenRefresh) async throws -> AccessToken

    /// The same for a request that can go without a token: none is obtained for its sake.
    var withoutObtaining: TokenRefresher {
        var copy = self
        copy.policy.obtainsTokens = false
        return copy
    }
}
