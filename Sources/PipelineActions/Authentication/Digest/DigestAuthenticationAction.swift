import Foundation
public import Pipeline

/// Proves to a server that it knows a password, without sending it (RFC 7616).
///
///     let network = Network(baseURL: api, actions: [try .digest(user: "ada", password: password)])
///
/// The first request goes without; the server answers 401 with challenges. The strongest that can be answered is (SHA-256 before
/// MD5), and the request is sent again. From then on requests to that server carry an answer at once, each with a count of its
/// own, until the server says that its nonce is stale; then the new one is answered.
///
/// **Where it belongs:** first in the hop zone, before a cache, since answers from memory must not cross users. In the hop zone,
/// since the credential belongs to certain origins and each hop is judged by itself. Without a cache, after retrying: what a
/// retry further in repeats has the count of the attempt before, which a server that counts takes for a replay and asks anew.
///
/// **What it may send twice:** a request that was answered with 401, of any method: the server has said that it did nothing.
/// Never with a credential that was refused: a 401 that is not stale is delivered, as it came. A body that can be read once only
/// is not sent again either; let a request without one go before, then the server's nonce is known.
///
/// **What it never does:** it answers no challenge outside its ``CredentialOrigins``, nor once the send has left them, nor
/// one of a proxy; it attaches nothing to a request that has an `Authorization` field of its own, or whose
/// `requiresAuthentication` is `false`. It does not check the server's own proof (`rspauth`), and
/// leaves `auth-int` and challenges without `qop` unanswered.
///
/// **How to test:** play the server with a `ConversationTransport`: answer 401 with a `WWW-Authenticate` field, and look at
/// the next request. Each decision is a ``DigestNote`` for event monitors.
public struct DigestAuthenticationAction: RequestWillBeginAction, ResponseCompletedAction {
    private let credential: PasswordCredential
    private let origins: CredentialOrigins
    private let algorithms: Set<DigestAlgorithm>
    private let sessions = Guarded(DigestSessions())
    private let makeClientNonce: @Sendable () -> String

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - credential: User name and password.
    ///   - origins: Where they belong; to the origin of the network's base URL unless told otherwise.
    ///   - algorithms: Which challenges are answered; those of all algorithms unless told otherwise. Without MD5, nobody on the
    ///     way can have a server's challenge weakened.
    public init(
        _ credential: PasswordCredential,
        origins: CredentialOrigins = .baseURL,
        algorithms: Set<DigestAlgorithm> = Set(DigestAlgorithm.allCases)
    ) {
        self.init(credential, origins: origins, algorithms: algorithms, makeClientNonce: Self.randomNonce)
    }

    init(
        _ credential: PasswordCredential,
        origins: CredentialOrigins,
        algorithms: Set<DigestAlgorithm>,
        makeClientNonce: @escaping @Sendable () -> String
    ) {
        self.credential = credential
        self.origins = origins
        self.algorithms = algorithms
        self.makeClientNonce = makeClientNonce
    }

    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [RequiresAuthentication.self] }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var progress = progress(of: request)
        defer { remember(progress, of: request) }
        let challenge = progress.challenge
        progress.beginPass(request.pass)
        let isTaken = request.headers.contains(.authorization)
        guard let bound = try origins.attachment(to: request, by: Self.name, unless: isTaken),
            let server = Origin(request.url)
        else { return .proceed(request) }
        progress.server = server

        let fresh = makeClientNonce()
        let refused = progress.refusedRealms(of: server)
        let reply = sessions.withLock { sessions in
            if request.pass > 1, let challenge {
                sessions.reply(to: challenge, at: server, fresh: fresh)
            } else {
                sessions.reply(unaskedFor: request.url, at: server, without: refused, fresh: fresh)
            }
        }
        guard let reply else { return .proceed(request) }
        progress.carried = DigestDecision.Carried(realm: reply.challenge.realm, nonce: reply.challenge.nonce)
        let value = try reply.authorization(
            credential,
            method: request.method.rawValue,
            target: request.url.digestTarget
        )
        var request = request
        request.headers.setSensitive(value, for: .authorization, origins: bound)
        return .proceed(request)
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        var progress = progress(of: request)
        guard let server = progress.server, Self.answers(response, request, of: server) else {
            return .deliver(response)
        }
        guard response.status == .unauthorized else {
            noteNextNonce(in: response, after: progress.carried, at: server)
            return .deliver(response)
        }
        defer { remember(progress, of: request) }
        let challenges = AuthenticationChallenge.challenges(in: response.headers.values(of: .wwwAuthenticate))
            .compactMap(DigestChallenge.init).filter { algorithms.contains($0.algorithm) }
        let decision = DigestDecision(
            on: challenges,
            carried: progress.carried,
            refused: progress.refusedRealms(of: server),
            replies: progress.replies
        )
        request.context.report(.note(action: Self.name, decision.note))
        if let realm = decision.refusedRealm {
            progress.refused[server, default: []].insert(realm)
            sessions.withLock { $0.forget(realm: realm, at: server) }
        }
        guard let challenge = decision.reply else { return .deliver(response) }
        progress.challenge = challenge
        progress.replies += 1
        return .retry(after: .zero)
    }

    /// Whether the answer is one to what this action let pass: nothing further in has put another credential in the place of
    /// this one, taken it away, or sent the request elsewhere.
    private static func answers(_ response: NetworkResponse, _ request: NetworkRequest, of server: Origin) -> Bool {
        response.request.headers[.authorization] == request.headers[.authorization]
            && Origin(response.request.url) == server
    }

    private func noteNextNonce(in response: NetworkResponse, after carried: DigestDecision.Carried?, at server: Origin)
    {
        // The field is a list of parameters, like that of a challenge.
        guard let carried, let field = response.headers[.authenticationInfo],
            let nonce = AuthenticationChallenge.challenges(in: ["Digest " + field]).first?.parameters["nextnonce"]
        else { return }
        let fresh = makeClientNonce()
        sessions.withLock { $0.follow(carried, by: nonce, at: server, fresh: fresh) }
    }

    // MARK: What a send remembers

    private struct Progress: Sendable {
        /// The server that this pass may be authenticated to; `nil` if the request is none of this action's business.
        var server: Origin?
        /// What this pass carried.
        var carried: DigestDecision.Carried?
        /// The challenge that the next pass answers.
        var challenge: DigestChallenge?
        /// How many challenges of this hop were answered.
        var replies = 0
        /// Where the credential was refused. It holds for the whole send, whoever retries.
        var refused: [Origin: Set<String>] = [:]

        mutating func beginPass(_ pass: Int) {
            server = nil
            carried = nil
            challenge = nil
            if pass == 1 { replies = 0 }
        }

        func refusedRealms(of server: Origin) -> Set<String> { refused[server] ?? [] }
    }

    /// One for each action, since a network can have several, for other users or servers.
    private enum ProgressKey: ContextKey {
        static let defaultValue: [ObjectIdentifier: Progress] = [:]
    }

    private func progress(of request: NetworkRequest) -> Progress {
        request.context.store[ProgressKey.self][ObjectIdentifier(sessions)] ?? Progress()
    }

    private func remember(_ progress: Progress, of request: NetworkRequest) {
        request.context.store[ProgressKey.self][ObjectIdentifier(sessions)] = progress
    }

    private static let name = "DigestAuthenticationAction"

    /// 128 bits that nobody can guess.
    private static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Data(bytes).base64EncodedString()
    }
}

extension Action where Self == DigestAuthenticationAction {
    /// Proves to a server that it knows a password; see ``DigestAuthenticationAction``.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    ///   - origins: Where they belong; to the origin of the network's base URL unless told otherwise.
    /// - Throws: `MalformedValue` for control characters.
    public static func digest(
        user: String,
        password: String,
        origins: CredentialOrigins = .baseURL
    ) throws(MalformedValue) -> DigestAuthenticationAction {
        DigestAuthenticationAction(try PasswordCredential(user: user, password: password), origins: origins)
    }
}
