public import Pipeline

/// Where an application keeps its access tokens, and where the actions that attach them look.
///
///     let tokens = TokenVault(store: FileTokenStore(file))
///     let network = Network(baseURL: api, actions: [BearerTokenAction(tokens) { try await renew($0) }])
///     try await tokens.set(login.token)                          // after a login
///     try await tokens.removeAll()                               // after a logout
///
/// A token is kept for a ``TokenScope``. Setting, reading and removing work for everything (`tokens.token()`), for requests
/// of a type (`tokens.token(for: .type(Orders.self))`), for a label (`tokens.token(for: .label("admin"))`), and for a
/// request value, whatever scope that one resolves to (`tokens.token(for: Orders.latest)`).
///
/// **Users do not mix.** Setting or removing a token says that another user may be there now. A refresh that began before
/// never writes over what was set after; a send that had the old token never gets the new one, whether it waits for a
/// refresh, is redirected or refused. If a token is merely a newer one of the same user, use ``renew(_:for:)-(_,TokenScope)``.
///
/// Several networks can share a vault: each scope is refreshed once, whoever asks.
public final class TokenVault: Sendable {
    /// Which token requests use that do not say it themselves.
    public let strategy: TokenStrategy

    let state = Guarded(State())
    let queue: TokenStoreQueue
    let listeners = EventListeners()
    let time: any TimeSource
    /// Whether other programs use the same store.
    let sharesStore: Bool

    struct State: Sendable {
        var ledger = TokenLedger()
        /// The refresh that is under way for a scope.
        var flights: [TokenScope: RefreshFlight] = [:]
        /// The question to the store that is under way for a scope.
        var readings: [TokenScope: SharedResult<Result<Void, any Error>>] = [:]
        /// Scopes whose token the store could not take, so that what it says about them is old.
        var unstored: Set<TokenScope> = []
        /// Tokens that could not be renewed ahead of their end. They are used until then, and not every send tries again.
        var brokenAhead: [TokenScope: TokenLedger.Mark] = [:]
    }

    /// Creates a vault.
    ///
    /// - Parameters:
    ///   - store: Where the tokens are kept; in memory unless told otherwise.
    ///   - strategy: Which token requests use that do not say it themselves; the one for all unless told otherwise.
    ///   - sharesStore: Whether other programs write to the store too, an app and its extensions for one. Then the store is
    ///     read again before a token is renewed or found missing, and what another program put there is used. It is taken
    ///     for a token of the same user.
    ///   - time: Tells when a token was set, from which its life counts. Give a test's clock to tests.
    public init(
        store: any TokenStore = MemoryTokenStore(),
        strategy: TokenStrategy = .global,
        sharesStore: Bool = false,
        time: any TimeSource = SystemTime.shared
    ) {
        queue = TokenStoreQueue(store)
        self.strategy = strategy
        self.sharesStore = sharesStore
        self.time = time
    }

    /// Creates a vault in memory that has a token for all requests from the start. Its life counts from now on.
    public convenience init(_ token: AccessToken) {
        self.init(store: MemoryTokenStore([.global: token.received(at: SystemTime.shared.date)]))
    }

    deinit { listeners.finish() }

    // MARK: By scope

    /// The token of a scope; `nil` if there is none, or the server refused to renew it.
    ///
    /// - Throws: What the store throws.
    public func token(for scope: TokenScope = .global) async throws -> AccessToken? {
        while true {
            let entry = state.withLock { $0.ledger[scope] }
            guard case .unread = entry.standing else { return entry.token }
            try await read(scope)
        }
    }

    /// Sets the token of a scope, after a login for one. What is under way for the token that was there goes without.
    ///
    /// The token is in use from now on, also if the store fails; then it lasts as long as the program.
    ///
    /// - Throws: What the conversion and the store throw.
    public func set(_ token: some AccessTokenConvertible, for scope: TokenScope = .global) async throws {
        let token = try token.makeAccessToken().received(at: time.date)
        // A refresh that sets the token it brings, beside returning it, does not get in its own way.
        let own = RefreshFlight.current
        try await change(scope) { state in
            if let own, state.flights[scope] === own {
                state.ledger.renew(token.keepingRefreshToken(of: own.token), for: scope)
                return nil
            }
            state.ledger.replace(token, for: scope)
            return .superseded
        }
    }

    /// Sets a newer token of the same user: what waits for a refresh, or was refused with the token that was there, goes on
    /// with this one.
    ///
    /// - Throws: What the conversion and the store throw.
    public func renew(_ token: some AccessTokenConvertible, for scope: TokenScope = .global) async throws {
        let token = try token.makeAccessToken().received(at: time.date)
        try await change(scope) { state in
            state.ledger.renew(token, for: scope)
            return state.ledger.lease(for: scope).map { .refreshed($0) }
        }
    }

    /// Removes the token of a scope, at a logout for one. What is under way for it goes without.
    ///
    /// - Throws: What the store throws. The token is out of use all the same, until the program ends.
    public func remove(for scope: TokenScope = .global) async throws {
        try await change(scope) { state in
            state.ledger.replace(nil, for: scope)
            return .superseded
        }
    }

    /// Removes the tokens of all scopes.
    ///
    /// - Throws: What the store throws. The tokens are out of use all the same, until the program ends.
    public func removeAll() async throws {
        let (flights, storing) = state.withLock { state in
            state.ledger.removeAll()
            state.unstored = []
            defer { state.flights = [:] }
            return (state.flights.values, queue.enqueue { try await $0.removeAllTokens() })
        }
        for flight in flights { flight.end(.superseded) }
        try await storing.value
    }

    /// Changes the books and the store in one order, and ends the refresh that is under way if the change says how.
    private func change(
        _ scope: TokenScope,
        _ change: @Sendable (inout State) -> RefreshFlight.Outcome?
    ) async throws {
        let (flight, outcome, storing) = state.withLock { state in
            let outcome = change(&state)
            let flight = outcome == nil ? nil : state.flights.removeValue(forKey: scope)
            return (flight, outcome, store(scope, &state))
        }
        if let flight, let outcome { flight.end(outcome) }
        try await storing.value
    }

    /// Takes a place in the line to the store for what the books say now.
    func store(_ scope: TokenScope, _ state: inout State) -> Task<Void, any Error> {
        let token = state.ledger[scope].token
        state.unstored.insert(scope)
        let mark = state.ledger[scope].mark
        return queue.enqueue { [self] store in
            if let token {
                try await store.setToken(token, for: scope)
            } else {
                try await store.removeToken(for: scope)
            }
            self.state.withLock { state in
                if state.ledger[scope].mark == mark { state.unstored.remove(scope) }
            }
        }
    }
}

extension TokenVault: CustomStringConvertible, CustomReflectable {
    /// Nothing of what is in it.
    public var description: String { "TokenVault" }

    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
