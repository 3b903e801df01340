import Foundation
import Pipeline
import PipelineActions
import PipelineTesting

/// What most tests of tokens play on: a network with a ``BearerTokenAction``, whose other end is the test.
struct AuthenticationStage {
    static let api = URL(string: "https://api.test")!

    let clock: ManualClock
    let server = ConversationTransport()
    let notes = NoteMonitor()
    let store: MemoryTokenStore
    let tokens: TokenVault

    init(
        _ token: AccessToken? = AccessToken("old", refreshToken: "for new"),
        strategy: TokenStrategy = .global,
        clock: ManualClock = ManualClock()
    ) {
        self.clock = clock
        store = MemoryTokenStore(token.map { [.global: $0] } ?? [:])
        tokens = TokenVault(store: store, strategy: strategy, time: clock)
    }

    /// A network that renews tokens by `POST /token`.
    func network(
        origins: CredentialOrigins = .baseURL,
        policy: BearerTokenPolicy = BearerTokenPolicy(),
        with others: [any Action] = [],
        over transport: (any Transport)? = nil
    ) -> Network {
        network(
            BearerTokenAction(tokens, origins: origins, policy: policy) { refresh in
                var request = NetworkRequest(method: .post, url: Self.api.appending(path: "token"))
                request.body = .text(refresh.token == nil ? "login" : try refresh.refreshToken)
                return try await JSONDecoder().decode(
                    AccessToken.self,
                    from: refresh.network.send(request).body.collect()
                )
            },
            with: others,
            over: transport
        )
    }

    func network(
        _ action: BearerTokenAction,
        with others: [any Action] = [],
        over transport: (any Transport)? = nil
    ) -> Network {
        Network(
            baseURL: Self.api,
            actions: [action] + others,
            transport: transport ?? server,
            configuration: .init(time: clock, monitors: [notes])
        )
    }

    /// The next request that was sent: its last path segment and its credential.
    func next() async -> (ConversationTransport.Exchange, String) {
        let exchange = await server.nextExchange()
        let credential = exchange.request.headers[.authorization] ?? "none"
        return (exchange, "\(exchange.request.url.lastPathComponent) \(credential)")
    }

    /// Waits for a note.
    func note(_ note: AuthenticationNote, times: Int = 1) async { await notes.wait(for: note, times) }
}

extension ConversationTransport.Exchange {
    /// Answers as a token endpoint does.
    func grant(_ token: String, _ more: String = "") {
        respond(body: #"{"access_token": "\#(token)"\#(more.isEmpty ? "" : ", " + more)}"#)
    }
}

/// GET of a path, with options.
struct AskProtected: Request {
    typealias Response = String
    var path: String
    var properties: CustomProperties = [:]

    init(_ path: String = "ask", _ properties: CustomProperties = [:]) {
        self.path = path
        self.properties = properties
    }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining(path))
    }

    var customProperties: CustomProperties { properties }
}

/// A request of another type.
struct TellProtected: Request {
    typealias Response = String
    var label: String?

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        var request = NetworkRequest(method: .post, url: try baseURL.joining("tell"))
        request.tokenStrategy = label.map(TokenStrategy.label)
        return request
    }
}

/// Keeps the notes about tokens, and lets a test wait for one.
final class NoteMonitor: EventMonitor {
    private struct State: Sendable {
        var notes: [AuthenticationNote] = []
        var observers: [(note: AuthenticationNote, times: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func has(_ note: AuthenticationNote, _ times: Int) -> Bool {
            notes.filter { $0 == note }.count >= times
        }
    }

    private let state = Locked(State())

    var notes: [AuthenticationNote] { state.withLock { $0.notes } }

    var texts: [String] { notes.map(\.description) }

    func wait(for note: AuthenticationNote, _ times: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.has(note, times) { return true }
                state.observers.append((note, times, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func record(_ event: SendEvent) {
        guard case .note(_, let note as AuthenticationNote) = event.kind else { return }
        let due = state.withLock { state in
            state.notes.append(note)
            let now = state
            let due = state.observers.filter { now.has($0.note, $0.times) }
            state.observers.removeAll { now.has($0.note, $0.times) }
            return due.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}

extension Result where Failure == NetworkError {
    var thrownCode: NetworkError.Code? { thrownError?.code }

    var thrownError: NetworkError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
