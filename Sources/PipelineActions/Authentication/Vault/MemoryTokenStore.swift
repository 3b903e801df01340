/// Keeps tokens for as long as the program runs.
public final class MemoryTokenStore: TokenStore {
    private let tokens: Guarded<[TokenScope: AccessToken]>

    /// Creates a store.
    ///
    /// - Parameter tokens: What is in it from the start; nothing unless told otherwise.
    public init(_ tokens: [TokenScope: AccessToken] = [:]) {
        self.tokens = Guarded(tokens)
    }

    public func token(for scope: TokenScope) async throws -> AccessToken? {
        tokens.withLock { $0[scope] }
    }

    public func setToken(_ token: AccessToken, for scope: TokenScope) async throws {
        tokens.withLock { $0[scope] = token }
    }

    public func removeToken(for scope: TokenScope) async throws {
        tokens.withLock { $0[scope] = nil }
    }

    public func removeAllTokens() async throws {
        tokens.withLock { $0 = [:] }
    }
}
