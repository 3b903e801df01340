import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// When a token is renewed, and what becomes of those who need it.
@Suite(.timeLimit(.minutes(1)))
struct TokenRefreshTests {
    // MARK: After a refusal

    @Test func `a refused token is renewed and the request sent again`() async throws {
        let stage = AuthenticationStage()
        async let answer = stage.network().send(AskProtected())
        var (exchange, line) = await stage.next()
        #expect(line == "ask Bearer old")
        exchange.respond(status: 401)

        (exchange, line) = await stage.next()
        #expect(line == "token none")
        #expect(exchange.request.body.data == Data("for new".utf8))
        exchange.grant("new")

        (exchange, line) = await stage.next()
        #expect(line == "ask Bearer new")
        exchange.respond(body: "welcome")
        #expect(try await answer == "welcome")
        #expect(
            stage.notes.texts == [
                "token 1 for global attached", "renews the token for global: the server refused it",
                "sends again with token 2 for global", "token 2 for global attached",
            ]
        )
    }

    /// A program may end with its send; then the refresh token that was used up must not be what it finds at its next start.
    @Test(arguments: 0..<50)
    func `a renewed token is stored before it is used`(round: Int) async throws {
        let stage = AuthenticationStage()
        async let answer = stage.network().send(AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.grant("new")
        let (exchange, _) = await stage.next()
        #expect(try await stage.store.token(for: .global)?.value == "new")
        exchange.respond(body: "ok")
        _ = try await answer
    }

    @Test(arguments: [(#""refresh_token": "next""#, "next"), ("", "for new")])
    func `a new refresh token takes the old one's place, otherwise that one stays`(
        more: String,
        expected: String
    ) async throws {
        let stage = AuthenticationStage()
        async let answer = stage.network().send(AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.grant("new", more)
        await stage.next().0.respond(body: "ok")
        _ = try await answer

        #expect(try await stage.tokens.token()?.refreshToken == expected)
    }

    @Test func `whoever is refused twice gets the refusal`() async throws {
        let stage = AuthenticationStage()
        async let result = stage.network().result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.grant("new")
        await stage.next().0.respond(status: 401, body: "still not")
        let error = try #require(await result.thrownError)

        #expect(error.code == .unacceptableStatus)
        #expect(error.statusCode == 401)
        #expect(error.payloadData == Data("still not".utf8))
        #expect(error.attempts == 2)
        #expect(stage.server.pendingExchanges == 0)
        #expect(stage.notes.texts.last == "passes the refused answer on: the send was repeated once already")
    }

    @Test func `an equal token is not tried again`() async throws {
        let stage = AuthenticationStage()
        let network = stage.network()
        for _ in 0..<2 {
            async let result = network.result(of: AskProtected())
            await stage.next().0.respond(status: 401, body: "no")
            await stage.next().0.grant("old")
            #expect(await result.thrownError?.payloadData == Data("no".utf8))
        }
        #expect(stage.notes.texts.last == "passes the refused answer on: the renewed token is the same")
    }

    @Test func `an action that cannot renew passes the refusal on`() async throws {
        let stage = AuthenticationStage()
        async let result = stage.network(BearerTokenAction(stage.tokens)).result(of: AskProtected())
        await stage.next().0.respond(status: 401)

        #expect(await result.thrownError?.statusCode == 401)
        #expect(try await stage.tokens.token()?.value == "old")
    }

    @Test func `one replay a send, redirects included`() async throws {
        let stage = AuthenticationStage()
        async let result = stage.network().result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.grant("new")
        await stage.next().0.respond(status: 307, headers: [.location: "/next"])
        let (exchange, line) = await stage.next()
        #expect(line == "next Bearer new")
        exchange.respond(status: 401)

        #expect(await result.thrownError?.statusCode == 401)
        #expect(stage.server.pendingExchanges == 0)
    }

    @Test func `a retry further in keeps the token, and its answers are judged alike`() async throws {
        struct RetryOnce: ResponseCompletedAction {
            var zone: ActionZone { .hop }

            func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
                let response = try outcome.get()
                return response.status == 503 && request.pass == 1 ? .retry(after: .zero) : .deliver(response)
            }
        }
        let stage = AuthenticationStage()
        async let answer = stage.network(with: [RetryOnce()]).send(AskProtected())
        await stage.next().0.respond(status: 503)
        var (exchange, line) = await stage.next()
        #expect(line == "ask Bearer old")
        exchange.respond(status: 401)
        await stage.next().0.grant("new")
        (exchange, line) = await stage.next()
        #expect(line == "ask Bearer new")
        exchange.respond(body: "ok")
        #expect(try await answer == "ok")
    }

    @Test func `a body that can be read once is not sent again, but the token is renewed`() async throws {
        struct Once: AsyncSequence, AsyncIteratorProtocol, Sendable {
            var chunk: Data? = Data("once".utf8)
            func makeAsyncIterator() -> Once { self }
            mutating func next() async throws -> Data? {
                defer { chunk = nil }
                return chunk
            }
        }
        let stage = AuthenticationStage()
        let request = NetworkRequest(method: .post, url: AuthenticationStage.api, body: .stream { Once() })
        async let result = stage.network().result(of: request)
        let (exchange, _) = await stage.next()
        _ = try exchange.request.body.makeChunks()
        exchange.respond(status: 401)
        await stage.next().0.grant("new")
        let error = await result.thrownError

        #expect(error?.statusCode == 401)
        #expect(error?.refusedRetry == .bodyNotReplayable)
        #expect(try await stage.tokens.token()?.value == "new")
    }

    // MARK: What is a refusal

    @Test func `the statuses can be chosen`() async throws {
        let stage = AuthenticationStage()
        var policy = BearerTokenPolicy()
        policy.refusedStatuses = [403, 419]
        let network = stage.network(policy: policy)
        async let plain = network.result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        #expect(await plain.thrownError?.statusCode == 401)

        async let refused = network.send(AskProtected())
        await stage.next().0.respond(status: 419)
        await stage.next().0.grant("new")
        await stage.next().0.respond(body: "ok")
        #expect(try await refused == "ok")
    }

    @Test func `a decision can look at the beginning of a stream and leaves it whole`() async throws {
        let stage = AuthenticationStage()
        var policy = BearerTokenPolicy()
        policy.isRefused = { response in
            guard response.status == 200 else { return false }
            return try await response.body.stream?.peek(upTo: 7) == Data("EXPIRED".utf8)
        }
        let network = stage.network(policy: policy)
        let request = NetworkRequest(url: AuthenticationStage.api.appending(path: "feed"), delivery: .stream)
        async let sent = network.send(request)
        let refused = await stage.next().0.respondStreaming()
        refused.write(Data("EXPI".utf8))
        refused.write(Data("RED, log in".utf8))
        refused.finish()
        await stage.next().0.grant("new")
        let accepted = await stage.next().0.respondStreaming()
        accepted.write(Data("WELCOME".utf8))
        accepted.write(Data(" back".utf8))
        accepted.finish()

        #expect(try await sent.body.collect() == Data("WELCOME back".utf8))
    }

    // MARK: Ahead of the end

    /// A token that was received at second 0, and what happens to a request at another second.
    @Test(arguments: [
        (3600, 60, 0, "fresh"), (3600, 60, 3539, "fresh"), (3600, 60, 3540, "renewed"), (3600, 60, 4000, "renewed"),
        (3600, 0, 3599, "fresh"), (3600, 0, 3600, "renewed"),
        // Of a short life it is the last quarter.
        (40, 60, 0, "fresh"), (40, 60, 29, "fresh"), (40, 60, 30, "renewed"),
        // One that had expired when it came tells that the clocks differ.
        (0, 60, 0, "fresh"), (0, 60, 5000, "fresh"),
    ])
    func `a token is renewed ahead of its end`(life: Int, ahead: Int, at second: Int, expected: String) async throws {
        let stage = AuthenticationStage(nil)
        try await stage.tokens.set(AccessToken("old", refreshToken: "for new", expiresIn: .seconds(life)))
        stage.clock.advance(by: .seconds(second))
        var policy = BearerTokenPolicy()
        policy.refreshesAhead = .seconds(ahead)
        async let answer = stage.network(policy: policy).send(AskProtected())
        var (exchange, line) = await stage.next()
        if expected == "renewed" {
            #expect(line == "token none")
            exchange.grant("new", #""expires_in": 3600"#)
            (exchange, line) = await stage.next()
        }
        #expect(line == (expected == "fresh" ? "ask Bearer old" : "ask Bearer new"))
        exchange.respond(body: "ok")
        _ = try await answer
        #expect(stage.server.pendingExchanges == 0)
    }

    @Test func `what comes while a token is renewed waits for the new one`() async throws {
        let stage = AuthenticationStage()
        let network = stage.network()
        async let first = network.send(AskProtected("first"))
        await stage.next().0.respond(status: 401)
        let (refresh, _) = await stage.next()
        async let second = network.send(AskProtected("second"))
        await stage.note(.waiting(.global))
        refresh.grant("new")
        var lines: [String] = []
        for _ in 0..<2 {
            let (exchange, line) = await stage.next()
            lines.append(line)
            exchange.respond(body: "ok")
        }
        _ = try await (first, second)
        #expect(lines.sorted() == ["first Bearer new", "second Bearer new"])
    }

    @Test func `if renewing ahead breaks the token is used until its end, without another try`() async throws {
        let stage = AuthenticationStage(nil)
        try await stage.tokens.set(AccessToken("old", refreshToken: "for new", expiresIn: .seconds(3600)))
        stage.clock.advance(by: .seconds(3550))
        let network = stage.network()
        async let first = network.send(AskProtected())
        await stage.next().0.fail(NetworkError(.connectionLost))
        var (exchange, line) = await stage.next()
        #expect(line == "ask Bearer old")
        exchange.respond(body: "ok")
        _ = try await first

        async let second = network.send(AskProtected())
        (exchange, line) = await stage.next()
        #expect(line == "ask Bearer old")
        exchange.respond(body: "ok")
        _ = try await second

        // At its end it is renewed or nothing.
        stage.clock.advance(by: .seconds(50))
        async let third = network.result(of: AskProtected())
        await stage.next().0.fail(NetworkError(.connectionLost))
        #expect(await third.thrownCode == .authenticationFailed)
    }

    // MARK: The first token (EC18)

    @Test func `logs in once for many that wait, if it can`() async throws {
        let stage = AuthenticationStage(nil)
        var policy = BearerTokenPolicy()
        policy.obtainsTokens = true
        let network = stage.network(policy: policy)
        let sends = (0..<10).map { number in Task { try await network.send(AskProtected("\(number)")) } }
        let (login, line) = await stage.next()
        #expect(line == "token none")
        #expect(login.request.body.data == Data("login".utf8))
        await stage.note(.waiting(.global), times: 9)
        login.grant("new")
        for _ in 0..<10 {
            let (exchange, line) = await stage.next()
            #expect(line.hasSuffix("Bearer new"))
            exchange.respond(body: "ok")
        }
        for send in sends { #expect(try await send.value == "ok") }
        #expect(stage.server.pendingExchanges == 0)
    }

    // MARK: Failures

    struct Failure: Sendable, CustomTestStringConvertible {
        let status: Int
        var body = ""
        let expected: NetworkError.Code

        var testDescription: String { "\(status) \(body)" }
    }

    @Test(arguments: [
        Failure(status: 400, body: #"{"error":"invalid_grant"}"#, expected: .authenticationRejected),
        Failure(status: 400, expected: .authenticationRejected),
        Failure(status: 401, body: "no", expected: .authenticationRejected),
        Failure(status: 403, expected: .authenticationRejected),
        Failure(status: 400, body: #"{"error":"temporarily_unavailable"}"#, expected: .authenticationFailed),
        Failure(status: 404, expected: .authenticationFailed),
        Failure(status: 429, expected: .authenticationFailed),
        Failure(status: 500, expected: .authenticationFailed),
        Failure(status: 503, expected: .authenticationFailed),
        Failure(status: 200, body: "{}", expected: .authenticationFailed),
    ])
    func `a refusal by the token endpoint is told apart from trouble on the way`(failure: Failure) async throws {
        let stage = AuthenticationStage()
        async let result = stage.network().result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.respond(status: HTTPStatus(failure.status), body: failure.body)
        let error = try #require(await result.thrownError)

        #expect(error.code == failure.expected)
        #expect(error.statusCode == 401)
        #expect(error.step == .action("BearerTokenAction"))
        #expect(error.request?.url == "https://api.test/ask")
        let isGone = try await stage.tokens.token() == nil
        #expect(isGone == (failure.expected == .authenticationRejected))
        #expect(
            try await stage.store.token(for: .global) == (isGone ? nil : AccessToken("old", refreshToken: "for new"))
        )
    }

    @Test func `a closure can reject, and without a refresh token it does`() async throws {
        let stage = AuthenticationStage(AccessToken("old"))
        async let result = stage.network().result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        let error = try #require(await result.thrownError)

        #expect(error.code == .authenticationRejected)
        #expect((error.underlying as? RefreshRejection)?.reason == "there is no refresh token")
    }

    @Test func `after a rejection nothing is sent until somebody logs in`() async throws {
        let stage = AuthenticationStage()
        let network = stage.network()
        var events = stage.tokens.events.makeAsyncIterator()
        async let first = network.result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.respond(status: 400)
        #expect(await first.thrownCode == .authenticationRejected)
        guard case .rejected(.global, _) = await events.next() else { Issue.record("not told"); return }

        #expect(await network.result(of: AskProtected()).thrownCode == .authenticationRejected)
        #expect(stage.server.pendingExchanges == 0)

        try await stage.tokens.set(AccessToken("again"))
        async let second = network.send(AskProtected())
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer again")
        exchange.respond(body: "ok")
        _ = try await second
    }

    @Test func `the application hears of a renewal`() async throws {
        let stage = AuthenticationStage()
        var events = stage.tokens.events.makeAsyncIterator()
        async let answer = stage.network().send(AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.grant("new")
        await stage.next().0.respond(body: "ok")
        _ = try await answer

        guard case .refreshed(.global) = await events.next() else { Issue.record("not told"); return }
    }

    // MARK: Whose refresh it is

    @Test func `the refresh outlives the send that set it off`() async throws {
        let stage = AuthenticationStage()
        let network = stage.network()
        var events = stage.tokens.events.makeAsyncIterator()
        let send = Task { await network.result(of: AskProtected()) }
        await stage.next().0.respond(status: 401)
        let (refresh, _) = await stage.next()
        send.cancel()
        #expect(await send.value.thrownCode == .cancelled)

        #expect(!refresh.isCancelled)
        refresh.grant("new")
        guard case .refreshed = await events.next() else { Issue.record("not told"); return }
        #expect(try await stage.tokens.token()?.value == "new")
    }

    @Test func `a send whose own limit strikes while it waits leaves, and the refresh goes on`() async throws {
        let clock = ManualClock(keepsTimeLimits: true)
        let server = ConversationTransport()
        let tokens = TokenVault(store: MemoryTokenStore([.global: AccessToken("old", refreshToken: "r")]), time: clock)
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [
                BearerTokenAction(tokens) { refresh in
                    _ = try await refresh.network.send(NetworkRequest(url: AuthenticationStage.api))
                    return AccessToken("new")
                }
            ],
            transport: server,
            configuration: .init(time: clock)
        )
        var events = tokens.events.makeAsyncIterator()
        async let result = network.result(of: AskProtected().configured { $0.timeLimits.total = .seconds(10) })
        await server.nextExchange().respond(status: 401)
        let refresh = await server.nextExchange()
        clock.advance(by: .seconds(11))
        #expect(await result.thrownCode == .timedOut)

        refresh.respond()
        guard case .refreshed = await events.next() else { Issue.record("not told"); return }
    }

    @Test func `a refresh has a deadline of its own`() async throws {
        let clock = ManualClock(keepsTimeLimits: true)
        let server = ConversationTransport()
        let tokens = TokenVault(store: MemoryTokenStore([.global: AccessToken("old", refreshToken: "r")]), time: clock)
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [
                BearerTokenAction(tokens) { refresh in
                    _ = try await refresh.network.send(NetworkRequest(url: AuthenticationStage.api))
                    return AccessToken("new")
                }
            ],
            transport: server,
            configuration: .init(time: clock)
        )
        async let result = network.result(of: AskProtected())
        await server.nextExchange().respond(status: 401)
        let refresh = await server.nextExchange()
        clock.advance(by: .seconds(31))
        let error = try #require(await result.thrownError)
        await refresh.untilCancelled()

        #expect(error.code == .authenticationFailed)
        #expect(error.underlying?.networkError?.code == .timedOut)
        #expect(try await tokens.token()?.value == "old")
    }

    @Test func `a refresh that waits for itself fails at once`() async throws {
        let stage = AuthenticationStage()
        let holder = NetworkHolder()
        let network = stage.network(
            BearerTokenAction(stage.tokens) { [holder] _ in
                _ = try await holder.network.send(AskProtected("token"))
                return AccessToken("new")
            }
        )
        holder.hold(network)
        async let result = network.result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        let error = try #require(await result.thrownError)

        #expect(error.code == .authenticationFailed)
        #expect(error.underlying?.networkError?.explanation?.contains("TokenRefresh.network") == true)
        #expect(stage.server.pendingExchanges == 0)
    }

    @Test func `a refresh keeps nothing after its end`() async throws {
        let leaks = LeakCheck()
        let tokens = TokenVault(AccessToken("old"))
        do {
            let server = ConversationTransport()
            let network = Network(
                baseURL: AuthenticationStage.api,
                actions: [
                    BearerTokenAction(tokens) { refresh in
                        _ = try await refresh.network.send(NetworkRequest(url: AuthenticationStage.api))
                        return AccessToken("new")
                    }, HoldingAction(leaks.token("network")),
                ],
                transport: server
            )
            let cancelled = Task { await network.result(of: AskProtected()) }
            await server.nextExchange().respond(status: 401)
            let refresh = await server.nextExchange()
            cancelled.cancel()
            _ = await cancelled.value
            refresh.respond()
        }
        await leaks.untilAllReleased()
        #expect(try await tokens.token()?.value == "new")
    }

    @Test func `networks that share a vault share a refresh`() async throws {
        let stage = AuthenticationStage()
        let (one, other) = (stage.network(), stage.network())
        async let first = one.send(AskProtected("first"))
        async let second = other.send(AskProtected("second"))
        let exchanges = [await stage.next().0, await stage.next().0]
        for exchange in exchanges { exchange.respond(status: 401) }
        let (refresh, line) = await stage.next()
        #expect(line == "token none")
        await stage.note(.waiting(.global))
        refresh.grant("new")
        for _ in 0..<2 { await stage.next().0.respond(body: "ok") }
        _ = try await (first, second)
        #expect(stage.server.pendingExchanges == 0)
    }

    @Test func `scopes are refreshed apart`() async throws {
        let stage = AuthenticationStage()
        try await stage.tokens.set(AccessToken("admin", refreshToken: "a"), for: .label("admin"))
        let network = stage.network()
        async let first = network.send(AskProtected())
        async let second = network.send(TellProtected(label: "admin"))
        let exchanges = [await stage.next().0, await stage.next().0]
        for exchange in exchanges { exchange.respond(status: 401) }
        for refresh in [await stage.next().0, await stage.next().0] {
            refresh.grant(refresh.request.body.data == Data("a".utf8) ? "admin 2" : "new")
        }
        for _ in 0..<2 { await stage.next().0.respond(body: "ok") }
        _ = try await (first, second)

        #expect(try await stage.tokens.token()?.value == "new")
        #expect(try await stage.tokens.token(for: .label("admin"))?.value == "admin 2")
    }
}

/// Lets a closure know the network that it is part of.
private final class NetworkHolder: Sendable {
    private let held = Locked<Network?>(nil)

    func hold(_ network: Network) { held.withLock { $0 = network } }

    /// The network, once: nobody keeps anybody after that.
    var network: Network {
        get throws {
            try #require(
                held.withLock { held in
                    defer { held = nil }
                    return held
                }
            )
        }
    }
}
