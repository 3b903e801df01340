import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Setting, reading and removing tokens (CN11, CN14), and what that means for what is under way.
@Suite(.timeLimit(.minutes(3)))
struct TokenVaultTests {
    // MARK: The four ways

    static let scopes: [TokenScope] = [.global, .type(AskProtected.self), .type(TellProtected.self), .label("admin")]

    @Test func `keeps a token for each scope`() async throws {
        let tokens = TokenVault()
        for scope in Self.scopes { try await tokens.set(AccessToken(scope.key), for: scope) }
        for scope in Self.scopes { #expect(try await tokens.token(for: scope)?.value == scope.key) }

        try await tokens.remove(for: .type(AskProtected.self))
        #expect(try await tokens.token(for: .type(AskProtected.self)) == nil)
        #expect(try await tokens.token()?.value == "global")

        try await tokens.removeAll()
        for scope in Self.scopes { #expect(try await tokens.token(for: scope) == nil) }
    }

    @Test func `scopes of different kinds never have the same key`() {
        let scopes = Self.scopes + [.label("global"), .label("type:X"), .label(""), .label("label:admin")]
        #expect(Set(scopes.map(\.key)).count == scopes.count)
        #expect(TokenScope.type(AskProtected.self).key == "type:PipelineActionsTests.AskProtected")
    }

    @Test func `a request value stands for the scope that it uses when it is sent`() async throws {
        let tokens = TokenVault(strategy: .requestType)
        let labelled = AskProtected("a", ["tokenStrategy": TokenStrategy.label("l")])
        #expect(try tokens.scope(of: AskProtected()) == .type(AskProtected.self))
        #expect(try tokens.scope(of: AskProtected().configured { $0.tag = "x" }) == .type(AskProtected.self))
        #expect(try tokens.scope(of: labelled) == .label("l"))
        #expect(try tokens.scope(of: TellProtected(label: "admin")) == .label("admin"))
        #expect(try tokens.scope(of: AskProtected().configured { $0.tokenStrategy = .global }) == .global)
        #expect(try TokenVault().scope(of: AskProtected()) == .global)
        #expect(throws: NetworkError.self) { try tokens.scope(of: AskProtected("a", ["tokenStrategy": 1])) }

        try await tokens.set(AccessToken("one"), for: TellProtected(label: "admin"))
        #expect(try await tokens.token(for: .label("admin"))?.value == "one")
        try await tokens.renew(AccessToken("two"), for: TellProtected(label: "admin"))
        #expect(try await tokens.token(for: TellProtected(label: "admin"))?.value == "two")
        try await tokens.remove(for: TellProtected(label: "admin"))
        #expect(try await tokens.token(for: .label("admin")) == nil)
    }

    struct Login: Decodable, AccessTokenConvertible {
        var jwt: String

        func makeAccessToken() throws -> AccessToken {
            guard !jwt.isEmpty else { throw RefreshRejection("an empty answer") }
            return AccessToken(jwt)
        }
    }

    @Test func `takes the application's own types for tokens`() async throws {
        let stage = AuthenticationStage(nil)
        try await stage.tokens.set(Login(jwt: "mine"))
        #expect(try await stage.tokens.token()?.value == "mine")
        await #expect(throws: RefreshRejection.self) { try await stage.tokens.set(Login(jwt: "")) }

        let network = stage.network(BearerTokenAction(stage.tokens) { _ in Login(jwt: "renewed") })
        async let answer = network.send(AskProtected())
        await stage.next().0.respond(status: 401)
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer renewed")
        exchange.respond(body: "ok")
        _ = try await answer
    }

    // MARK: The store

    @Test func `asks the store once for all, and writes what changes`() async throws {
        let store = GatedStore(AccessToken("stored"))
        let tokens = TokenVault(store: store)
        let readers = (0..<10).map { _ in Task { try await tokens.token()?.value } }
        store.gate.open()
        for reader in readers { #expect(try await reader.value == "stored") }
        #expect(store.log.lines == ["read global"])

        try await tokens.set(AccessToken("new"))
        try await tokens.remove()
        try await tokens.removeAll()
        #expect(store.log.lines == ["read global", "set global", "remove global", "remove all"])
    }

    @Test func `a send that is cancelled while the store is asked leaves at once`() async throws {
        let store = GatedStore(AccessToken("stored"))
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [BearerTokenAction(TokenVault(store: store))],
            transport: ScriptedTransport([.status(200, body: "ok")])
        )
        let send = Task { await network.result(of: AskProtected()) }
        await store.gate.arrival()
        send.cancel()
        #expect(await send.value.thrownCode == .cancelled)
        store.gate.open()
        #expect(try await network.send(AskProtected()) == "ok")
    }

    /// Both orders happen.
    @Test(arguments: 0..<100)
    func `a token that is set while the store is asked counts`(round: Int) async throws {
        let store = GatedStore(AccessToken("stored"))
        let tokens = TokenVault(store: store)
        let reader = Task { try await tokens.token()?.value }
        await store.gate.arrival()
        let writer = Task { try await tokens.set(AccessToken("set")) }
        store.gate.open()
        try await writer.value
        _ = try await reader.value
        #expect(try await tokens.token()?.value == "set")
        #expect(try await store.token(for: .global)?.value == "set")
    }

    @Test func `a store that fails harms no token that is in memory`() async throws {
        let store = FailingStore()
        let tokens = TokenVault(store: store)
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [BearerTokenAction(tokens)],
            transport: ScriptedTransport { .init(status: 200, body: .bytes(Data("ok".utf8)), request: $0) }
        )
        let unread = await network.result(of: AskProtected())
        #expect(unread.thrownCode == .actionFailed)
        #expect(unread.thrownError?.underlying is FailingStore.Failure)

        await #expect(throws: FailingStore.Failure.self) { try await tokens.set(AccessToken("a")) }
        #expect(try await network.send(AskProtected()) == "ok")

        // Logged out is logged out, also if the store still has it.
        await #expect(throws: FailingStore.Failure.self) { try await tokens.removeAll() }
        #expect(await network.result(of: AskProtected()).thrownCode == .authenticationRequired)
    }

    @Test func `the application hears that a renewed token could not be stored`() async throws {
        let stage = AuthenticationStage(nil)
        let tokens = TokenVault(store: FailingStore(reads: AccessToken("old")), time: stage.clock)
        var events = tokens.events.makeAsyncIterator()
        let network = stage.network(BearerTokenAction(tokens) { _ in AccessToken("new") })
        async let answer = network.send(AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.respond(body: "ok")
        #expect(try await answer == "ok")

        guard case .refreshed(.global) = await events.next() else { Issue.record("not renewed"); return }
        guard case .notStored(.global, let error) = await events.next() else { Issue.record("not told"); return }
        #expect(error.underlying is FailingStore.Failure)
    }

    @Test(arguments: [(true, nil), (false, NetworkError.Code.authenticationRejected)])
    func `a store that hangs holds nobody for longer than the refresh may take`(
        renews: Bool,
        code: NetworkError.Code?
    ) async throws {
        let clock = ManualClock(keepsTimeLimits: true)
        let server = ConversationTransport()
        let store = GatedStore(AccessToken("old"), holdsWrites: true)
        let tokens = TokenVault(store: store, time: clock)
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [
                BearerTokenAction(tokens) { _ in
                    guard renews else { throw RefreshRejection("no") }
                    return AccessToken("new")
                }
            ],
            transport: server,
            configuration: .init(time: clock)
        )
        async let result = network.result(of: AskProtected())
        await server.nextExchange().respond(status: 401)
        await store.gate.arrival()
        clock.advance(by: .seconds(31))
        if renews { await server.nextExchange().respond(body: "ok") }
        #expect(await result.thrownCode == code)
        store.gate.open()
    }

    @Test func `several listeners hear everything, and their sequences end with the vault`() async throws {
        var tokens: TokenVault? = TokenVault()
        let listeners = [tokens?.events, tokens?.events].compactMap { $0 }
        tokens = nil
        for listener in listeners {
            for await event in listener { Issue.record("heard \(event)") }
        }
    }

    // MARK: Other programs with the same store

    @Test func `what another program renewed is used, and nothing is refreshed`() async throws {
        let stage = AuthenticationStage(nil)
        let store = MemoryTokenStore([.global: AccessToken("old", refreshToken: "r")])
        let tokens = TokenVault(store: store, sharesStore: true, time: stage.clock)
        let network = stage.network(BearerTokenAction(tokens) { _ -> AccessToken in throw RefreshRejection("used up") })
        async let answer = network.send(AskProtected())
        let (exchange, _) = await stage.next()
        try await store.setToken(AccessToken("theirs"), for: .global)
        exchange.respond(status: 401)
        let (again, line) = await stage.next()
        #expect(line == "ask Bearer theirs")
        again.respond(body: "ok")
        #expect(try await answer == "ok")
    }

    @Test func `a rejection that another program's renewal caused is none`() async throws {
        let stage = AuthenticationStage(nil)
        let store = MemoryTokenStore([.global: AccessToken("old", refreshToken: "r")])
        let tokens = TokenVault(store: store, sharesStore: true, time: stage.clock)
        let network = stage.network(
            BearerTokenAction(tokens) { _ -> AccessToken in
                try await store.setToken(AccessToken("theirs"), for: .global)
                throw RefreshRejection("used up")
            }
        )
        async let answer = network.send(AskProtected())
        await stage.next().0.respond(status: 401)
        let (again, line) = await stage.next()
        #expect(line == "ask Bearer theirs")
        again.respond(body: "ok")
        #expect(try await answer == "ok")
    }

    @Test func `a login in another program is found`() async throws {
        let store = MemoryTokenStore()
        let tokens = TokenVault(store: store, sharesStore: true)
        let server = ScriptedTransport { .init(status: 200, body: .bytes(Data("ok".utf8)), request: $0) }
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [BearerTokenAction(tokens)],
            transport: server
        )
        #expect(await network.result(of: AskProtected()).thrownCode == .authenticationRequired)
        try await store.setToken(AccessToken("theirs", expiresIn: .seconds(3600)), for: .global)
        #expect(try await network.send(AskProtected()) == "ok")
        #expect(try await tokens.token()?.expiresAt != nil)
    }
}

/// A store that answers when it may, and tells what it was asked.
private final class GatedStore: TokenStore {
    let gate = Gate()
    let log = EventLog()
    private let tokens: MemoryTokenStore
    private let holdsWrites: Bool

    init(_ token: AccessToken, holdsWrites: Bool = false) {
        tokens = MemoryTokenStore([.global: token])
        self.holdsWrites = holdsWrites
    }

    func token(for scope: TokenScope) async throws -> AccessToken? {
        if !holdsWrites { await gate.pass() }
        log.append("read \(scope)")
        return try await tokens.token(for: scope)
    }

    func setToken(_ token: AccessToken, for scope: TokenScope) async throws {
        if holdsWrites { await gate.pass() }
        log.append("set \(scope)")
        try await tokens.setToken(token, for: scope)
    }

    func removeToken(for scope: TokenScope) async throws {
        if holdsWrites { await gate.pass() }
        log.append("remove \(scope)")
        try await tokens.removeToken(for: scope)
    }

    func removeAllTokens() async throws {
        log.append("remove all")
        try await tokens.removeAllTokens()
    }
}

private final class FailingStore: TokenStore {
    struct Failure: Error {}

    private let readable: AccessToken?

    init(reads readable: AccessToken? = nil) { self.readable = readable }

    func token(for scope: TokenScope) async throws -> AccessToken? {
        guard let readable else { throw Failure() }
        return readable
    }

    func setToken(_ token: AccessToken, for scope: TokenScope) async throws { throw Failure() }

    func removeToken(for scope: TokenScope) async throws { throw Failure() }

    func removeAllTokens() async throws { throw Failure() }
}

/// Holds asynchronous code until the test lets it go.
final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrivals = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var observers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, observers) = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.held.append(continuation) }
                defer { state.observers = [] }
                return (state.isOpen, state.observers)
            }
            for observer in observers { observer.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until somebody is there.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals == 0 { state.observers.append(continuation) }
                return state.arrivals > 0
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
