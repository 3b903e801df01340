public import Pipeline

/// Attaches an access token to requests, and renews it when its end is near or the server refuses it (RFC 6750).
///
///     let tokens = TokenVault()
///     let network = Network(
///         baseURL: api,
///         actions: [
///             BearerTokenAction(tokens) { refresh in
///                 try await refresh.network.send(RenewToken(with: refresh.refreshToken))
///             }
///         ]
///     )
///
/// A hundred sends that meet an expired token cause one refresh; all wait for it and then go on, or fail with one typed
/// error each. A refresh belongs to the ``TokenVault``: it goes on when the send that set it off is cancelled, and has a
/// deadline of its own. A send that is cancelled while it waits leaves at once.
///
/// **Where it belongs:** in the hop zone, outermost there: before a cache, so that answers from memory cannot cross users,
/// and before retries, so that they repeat the hop with the same token. There it decides for each redirect anew.
///
/// **What it may send twice:** a request whose answer says that the server does not take the token, once per send, if there
/// is another token by then. The server has refused it, so it has done nothing; the method does not matter. A body that can
/// be read once only is not sent again: the refused answer is then the result.
///
/// **What it never does:** attach a token outside its ``CredentialOrigins``, or once the send has left them. Send again with a
/// token that is the same, or with another user's. Touch a request that brings an `Authorization` field of its own, or draw
/// conclusions from the answer to it. Refresh twice at a time, or again for a token that the server refused to renew.
///
/// **Errors:** `authentication-required` if there is no token for a request that needs one, or none that may go there: nothing
/// was sent. `authentication-rejected` if the server refused to renew the token; it is removed, and
/// ``TokenVault/events`` tells the application. `authentication-failed` if the refresh went wrong on the way: the token is
/// still there, and the next send tries again. `authentication-changed` if the token was set or removed while the send
/// waited. The error of the refresh is the cause.
///
/// **How to test code that uses it:** put a token into a vault, play the server with a `ConversationTransport`, and answer 401.
/// Expiry runs on the network's clock; give the vault the same (``TokenVault/init(store:strategy:sharesStore:time:)``).
public struct BearerTokenAction: RequestWillBeginAction, ResponseCompletedAction {
    private let tokens: TokenVault
    private let origins: CredentialOrigins
    private let policy: BearerTokenPolicy
    private let refresher: TokenRefresher?

    /// Creates an action that cannot renew tokens: one that is refused stays refused.
    ///
    /// - Parameters:
    ///   - tokens: Where the tokens are.
    ///   - origins: Where they may go; to the origin of the network's base URL unless told otherwise. For a scope other than
    ///     the global one, the base URL of the request counts in its place, if it has one of its own.
    ///   - policy: Which requests get a token.
    public init(
        _ tokens: TokenVault,
        origins: CredentialOrigins = .baseURL,
        policy: BearerTokenPolicy = BearerTokenPolicy()
    ) {
        self.tokens = tokens
        self.origins = origins
        self.policy = policy
        refresher = nil
    }

    /// Creates an action that renews tokens.
    ///
    /// - Parameters:
    ///   - tokens: Where the tokens are.
    ///   - origins: Where they may go; to the origin of the network's base URL unless told otherwise. For a scope other than
    ///     the global one, the base URL of the request counts in its place, if it has one of its own.
    ///   - policy: Which requests get a token, and when it is renewed.
    ///   - refresh: Gets a new token. It returns the token and does not set it. If it throws a ``RefreshRejection``, or a
    ///     ``/Pipeline/NetworkError`` for an answer of 400, 401 or 403, the login is over; after any other error the token
    ///     stays.
    public init(
        _ tokens: TokenVault,
        origins: CredentialOrigins = .baseURL,
        policy: BearerTokenPolicy = BearerTokenPolicy(),
        refresh: @escaping @Sendable (TokenRefresh) async throws -> some AccessTokenConvertible
    ) {
        self.tokens = tokens
        self.origins = origins
        self.policy = policy
        refresher = TokenRefresher(policy: policy) { try await refresh($0).makeAccessToken() }
    }

    /// The hop zone.
    public var zone: ActionZone { .hop }

    /// Whether a request needs a token, and which.
    public var customPropertyKeys: [any CustomPropertyKey.Type] {
        [RequiresAuthentication.self, RequestTokenStrategy.self]
    }

    // MARK: On the way in

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let requirement = request.requiresAuthentication.map { $0 ? .required : .never } ?? policy.requirement
        if requirement == .never { return skip(request, "the request needs none") }
        if request.headers.contains(.authorization) { return skip(request, "the request has a credential of its own") }

        let scope = (request.tokenStrategy ?? tokens.strategy).scope(for: request.context.requestType)
        let baseURL = scope.isGlobal ? request.context.baseURL : request.baseURL ?? request.context.baseURL
        let verdict = origins.decision(for: request, baseURL: baseURL)
        guard case .attach(let within) = verdict else {
            try refuse(request, verdict, requirement)
            return skip(request, "it \(verdict)")
        }
        guard let lease = try await lease(for: request, scope, requirement) else {
            return skip(request, "there is none for \(scope)")
        }
        var request = request
        request.headers.setSensitive(lease.token.fieldValue, for: .authorization, origins: within)
        note(.attached(scope, generation: lease.mark.generation), in: request.context)
        return .proceed(request)
    }

    private func skip(_ request: NetworkRequest, _ reason: String) -> RequestDecision {
        note(.skipped(reason), in: request.context)
        return .proceed(request)
    }

    /// Refuses a request that needs a token and must not have it. Where a redirect leads is not the caller's mistake.
    private func refuse(
        _ request: NetworkRequest,
        _ verdict: CredentialOrigins.Decision,
        _ requirement: BearerTokenPolicy.Requirement
    ) throws {
        guard requirement == .required, request.context.visitedOrigins.count <= 1 else { return }
        switch verdict {
        case .insecure:
            throw NetworkError(.authenticationRequired, "the token \(verdict); use https", reach: .no)
        case .otherOrigin where request.requiresAuthentication == true:
            throw NetworkError(
                .authenticationRequired,
                "the token \(verdict); name that origin where the action is made",
                reach: .no
            )
        case .attach, .otherOrigin, .hasLeft, .noOrigin:
            return
        }
    }

    /// The token for a request to carry; `nil` if there is none and it can go without.
    private func lease(
        for request: NetworkRequest,
        _ scope: TokenScope,
        _ requirement: BearerTokenPolicy.Requirement
    ) async throws -> TokenLease? {
        let context = request.context
        let record = context.store[SendRecords.self][ObjectIdentifier(tokens)] ?? SendRecord()
        var refresher = refresher
        if requirement == .ifAvailable { refresher = refresher?.withoutObtaining }
        let supply = try await tokens.supply(for: scope, by: refresher, in: context) { note($0, in: context) }
        switch supply {
        case .lease(let lease):
            if let former = record.carried, former.scope == scope, former.mark.epoch != lease.mark.epoch {
                throw NetworkError(.authenticationChanged)
            }
            update(context) { $0.carried = lease }
            return lease
        case .rejected(let error):
            guard requirement == .required else { return nil }
            throw NetworkError(refreshRejected: error)
        case .absent:
            guard requirement == .required else { return nil }
            // A send that had a token and finds none was under way when somebody logged out.
            if record.carried?.scope == scope { throw NetworkError(.authenticationChanged) }
            throw NetworkError(
                .authenticationRequired,
                "there is no token for \(scope); log in, or set requiresAuthentication to false",
                reach: .no
            )
        }
    }

    // MARK: On the way out

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        let context = request.context
        // Most answers are none of this action's business, and their status tells.
        guard policy.mayRefuse(response) else { return .deliver(response) }
        guard let record = context.store[SendRecords.self][ObjectIdentifier(tokens)], let carried = record.carried,
            Self.carries(response, carried.token, request), try await policy.refuses(response)
        else { return .deliver(response) }

        do {
            let replacement = try await tokens.replacement(
                for: carried,
                hasReplayed: record.hasReplayed,
                by: refresher,
                in: context
            ) { note($0, in: context) }
            guard let replacement else { return .deliver(response) }
            update(context) { $0.hasReplayed = true }
            note(.resending(replacement.scope, generation: replacement.mark.generation), in: context)
            return .retry(after: .zero)
        } catch let error as NetworkError {
            throw error.about(response)
        }
    }

    /// Whether the answer is one to this token: it was really sent, and to where this action let it go.
    private static func carries(_ response: NetworkResponse, _ token: AccessToken, _ request: NetworkRequest) -> Bool {
        response.request.headers.values(of: .authorization) == [token.fieldValue]
            && Origin(response.request.url) == Origin(request.url)
    }

    // MARK: What is remembered and told

    private func update(_ context: SendContext, _ change: (inout SendRecord) -> Void) {
        var records = context.store[SendRecords.self]
        change(&records[ObjectIdentifier(tokens), default: SendRecord()])
        context.store[SendRecords.self] = records
    }

    private func note(_ note: @autoclosure () -> AuthenticationNote, in context: SendContext) {
        context.report(.note(action: "BearerTokenAction", note()))
    }
}

/// What a send remembers of the tokens of a vault.
private struct SendRecord: Sendable {
    /// The token that a request of the send carried last.
    var carried: TokenLease?
    /// Whether the send was repeated after a refusal.
    var hasReplayed = false
}

/// The records of a send, one for each vault.
private enum SendRecords: ContextKey {
    static let defaultValue: [ObjectIdentifier: SendRecord] = [:]
}

extension Action where Self == BearerTokenAction {
    /// Attaches access tokens and cannot renew them; see ``BearerTokenAction``.
    public static func bearerToken(
        _ tokens: TokenVault,
        origins: CredentialOrigins = .baseURL,
        policy: BearerTokenPolicy = BearerTokenPolicy()
    ) -> BearerTokenAction {
        BearerTokenAction(tokens, origins: origins, policy: policy)
    }

    /// Attaches access tokens and renews them; see ``BearerTokenAction``.
    public static func bearerToken(
        _ tokens: TokenVault,
        origins: CredentialOrigins = .baseURL,
        policy: BearerTokenPolicy = BearerTokenPolicy(),
        refresh: @escaping @Sendable (TokenRefresh) async throws -> some AccessTokenConvertible
    ) -> BearerTokenAction {
        BearerTokenAction(tokens, origins: origins, policy: policy, refresh: refresh)
    }
}
