import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

/// What no action does by itself: credentials, retries, limits and keys in one chain.
@Suite(.timeLimit(.minutes(3)))
struct ActionsTogetherTests {
    private let clock = ManualClock()
    private let server = ConversationTransport()
    private let tokens: TokenVault
    private let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
    private let rate = RateLimitAction(nil)
    private let budget = RetryBudget()

    init() {
        tokens = TokenVault(
            store: MemoryTokenStore([.global: AccessToken("old", refreshToken: "for new")]),
            time: clock
        )
    }

    private func bearer(_ policy: BearerTokenPolicy = BearerTokenPolicy()) -> BearerTokenAction {
        BearerTokenAction(tokens, policy: policy) { refresh in
            var request = NetworkRequest(method: .post, url: api.appending(path: "token"))
            request.body = .text(try refresh.refreshToken)
            return try await JSONDecoder().decode(AccessToken.self, from: refresh.network.send(request).body.collect())
        }
    }

    private func retry(_ change: (inout RetryPolicy) -> Void = { _ in }) -> RetryAction {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.seconds(1))
        change(&policy)
        return RetryAction(policy, budget: budget)
    }

    private func network(_ actions: [any Action]) -> Network {
        Network(baseURL: api, actions: actions, transport: server, configuration: .init(time: clock))
    }

    /// All of them, in the order that the documentation asks for.
    private var everything: [any Action] {
        [RequestIDAction(), IdempotencyKeyAction(), bearer(), retry(), rate, limit, TraceContextAction()]
    }

    private func expectNothingHeld() {
        #expect(limit.permitsTaken == 0 && limit.waiting == 0 && rate.waiting == 0)
        #expect(server.pendingExchanges == 0)
    }

    // MARK: Tokens and limits

    @Test(arguments: [false, true])
    func `ten sends through one permit renew the token once, wherever the limit stands`(isOutside: Bool) async throws {
        let network = network(isOutside ? [limit, bearer()] : [bearer(), limit])
        let sends = (0..<10).map { _ in Task { try await network.send(NetworkRequest(url: api)).status } }
        var refreshes = 0
        var successes = 0
        while successes < sends.count {
            let exchange = await server.nextExchange()
            #expect(limit.permitsTaken == 1)
            if exchange.request.url.lastPathComponent == "token" {
                refreshes += 1
                exchange.grant("new")
            } else if exchange.request.headers[.authorization] == "Bearer new" {
                successes += 1
                exchange.respond()
            } else {
                exchange.respond(status: 401)
            }
        }
        for send in sends { #expect(try await send.value == 200) }
        #expect(refreshes == 1)
        expectNothingHeld()
    }

    @Test func `what is refused, busy, moved and lost arrives once more with one key and a span for each attempt`()
        async throws
    {
        let monitor = RecordingMonitor()
        let network = Network(
            baseURL: api,
            actions: everything,
            transport: server,
            configuration: .init(time: clock, monitors: [monitor])
        )
        async let response = network.send(NetworkRequest(method: .post, url: api, body: .text("order")))
        var attempts: [NetworkRequest] = []
        func next() async -> ConversationTransport.Exchange {
            let exchange = await server.nextExchange()
            attempts.append(exchange.request)
            return exchange
        }
        func pause() async {
            #expect(await clock.nextPause() == .seconds(1))
            clock.advance(by: .seconds(1))
        }

        await next().respond(status: 503)
        await pause()
        await next().respond(status: 401)
        await server.nextExchange().grant("new")
        await next().respond(status: 503)
        await pause()
        await next().respond(status: 307, headers: [.location: "/moved"])
        await next().fail(NetworkError(.connectionLost))
        await pause()
        await next().respond()

        #expect(try await response.status == 200)
        let tokensCarried = attempts.map { $0.headers[.authorization] ?? "none" }
        #expect(tokensCarried == ["old", "old", "new", "new", "new", "new"].map { "Bearer \($0)" })
        #expect(Set(attempts.map { $0.headers[.idempotencyKey] }).count == 1)
        #expect(attempts.first?.headers.contains(.idempotencyKey) == true)
        #expect(Set(attempts.map(\.requestID)).count == 1)
        #expect(Set(attempts.map { $0.traceContext?.traceID }).count == 1)
        #expect(Set(attempts.map { $0.traceContext?.spanID }).count == attempts.count)
        #expect(attempts.allSatisfy { $0.body.data == Data("order".utf8) })
        #expect(budget.available == budget.capacity)
        expectNothingHeld()
    }

    @Test func `a body that can be read once goes out once, and what was learnt serves the next send`() async throws {
        struct Once: AsyncSequence, AsyncIteratorProtocol, Sendable {
            var chunk: Data? = Data("once".utf8)
            func makeAsyncIterator() -> Once { self }
            mutating func next() async throws -> Data? { chunk.take() }
        }
        let network = network(everything)
        async let result = network.result(of: NetworkRequest(method: .put, url: api, body: .stream { Once() }))
        let exchange = await server.nextExchange()
        _ = try exchange.request.body.makeChunks()
        exchange.respond(status: 401, body: "who?")
        await server.nextExchange().grant("new")
        let error = await result.thrownError
        #expect(error?.statusCode == 401)
        #expect(error?.payloadData == Data("who?".utf8))
        #expect(error?.refusedRetry == .bodyNotReplayable)
        expectNothingHeld()

        async let next = network.send(NetworkRequest(url: api))
        let second = await server.nextExchange()
        #expect(second.request.headers[.authorization] == "Bearer new")
        second.respond()
        _ = try await next
        expectNothingHeld()
    }

    // MARK: Streams

    /// The body of what is sent again is let go of, and may take its time to end.
    @Test(arguments: ["retry", "token"])
    func `a send does not wait for the permit that its own former stream holds`(cause: String) async throws {
        var policy = BearerTokenPolicy()
        policy.isRefused = { response in try await response.body.stream?.peek(upTo: 4) == Data("busy".utf8) }
        let retry = retry { policy in
            policy.decide = { await $0.bodyPrefix(upTo: 4) == Data("busy".utf8) ? .retry(after: .zero) : .asUsual }
        }
        let network = network(cause == "retry" ? [retry, limit] : [bearer(policy), limit])
        async let response = network.send(NetworkRequest(url: api, delivery: .stream))
        let busy = await server.nextExchange().respondStreaming()
        busy.write(Data("busy".utf8))
        if cause == "token" { await server.nextExchange().grant("new") }
        let whole = await server.nextExchange().respondStreaming()
        #expect(limit.permitsTaken == 1)
        whole.write(Data("well".utf8))
        whole.finish()

        #expect(try await response.body.collect() == Data("well".utf8))
        busy.finish()
        expectNothingHeld()
    }

    // MARK: Requests that turn elsewhere

    @Test(arguments: ["bearer", "basic", "key", "default"])
    func `an action further in that turns a request elsewhere takes no credential along`(kind: String) async throws {
        let credential: any Action =
            switch kind {
            case "bearer": bearer()
            case "basic": try BasicAuthenticationAction(user: "u", password: "p")
            case "key": .apiKey("canary", in: .header(.authorization))
            default: DefaultHeadersAction([.authorization: "canary"])
            }
        let turning = HookAction(zone: .hop) { request in
            var request = request
            if request.url.path == "/turn" { request.url = URL(string: "https://mirror.test/turn")! }
            return .proceed(request)
        }
        let network = network([credential, turning])
        for (path, isCarried) in [("stay", true), ("turn", false)] {
            async let response = network.send(NetworkRequest(url: api.appending(path: path)))
            let exchange = await server.nextExchange()
            #expect(exchange.request.headers.contains(.authorization) == isCarried, "\(path)")
            exchange.respond()
            #expect(try await response.request.headers.contains(.authorization) == isCarried)
        }
    }

    @Test func `a secret that belongs elsewhere does not go there by a redirect from a stranger`() async throws {
        var request = NetworkRequest(url: URL(string: "https://other.test/")!)
        request.headers.setSensitive("canary", for: "X-Key", origins: [Origin(api)!])
        let server = ScriptedTransport([.redirect(to: "https://api.test/chosen"), .status(200)])
        _ = try await Network(baseURL: api, transport: server).send(request)
        #expect(server.requests.map { $0.headers.contains("X-Key") } == [false, false])
    }

    // MARK: What the caller is told

    @Test(arguments: [([503, 0], NetworkError.Reach.maybe), ([0, 0], .no), ([0, 503], .maybe)])
    func `a send that may have reached the server says so, whatever came last`(
        statuses: [HTTPStatus],
        reach: NetworkError.Reach
    ) async throws {
        let network = network([IdempotencyKeyAction(), retry { $0.maxAttempts = 2 }])
        async let result = network.result(of: NetworkRequest(method: .post, url: api))
        for (index, status) in statuses.enumerated() {
            let exchange = await server.nextExchange()
            if status == 0 {
                exchange.fail(NetworkError(.connectionRefused, reach: .no))
            } else {
                exchange.respond(status: status)
            }
            if index == 0 { clock.advance(by: await clock.nextPause()) }
        }
        #expect(await result.thrownError?.reach == reach)
    }

    @Test func `a limit that stops a retry does not say that nothing was sent`() async throws {
        var policy = RateLimitPolicy(.init(1, per: .seconds(60)))
        policy.excess = .fails
        let network = network([retry(), RateLimitAction(policy)])
        async let result = network.result(of: NetworkRequest(url: api))
        await server.nextExchange().respond(status: 503)
        clock.advance(by: await clock.nextPause())
        let error = await result.thrownError
        #expect(error?.code == .rateLimited)
        #expect(error?.reach == .maybe)
        #expect(error.map { "\($0)" }?.contains("nothing was sent") == false)

        let next = await network.result(of: NetworkRequest(url: api)).thrownError
        #expect(next?.reach == .no)
        #expect(next.map { "\($0)" }?.contains("nothing was sent") == true)
    }

    // MARK: Pauses

    @Test func `what a server asks for is waited for once, although two actions heed it`() async throws {
        let network = network(everything)
        async let response = network.send(NetworkRequest(url: api))
        await server.nextExchange().respond(status: 429, headers: ["Retry-After": "2"])
        let pause = await clock.nextPauseWithPurpose()
        #expect(pause.duration == .seconds(2))
        #expect(pause.purpose == .retry)
        #expect(limit.permitsTaken == 0)
        clock.advance(by: .seconds(2))
        await server.nextExchange().respond()
        #expect(try await response.status == 200)
        expectNothingHeld()
    }

    @Test func `a pause beyond the deadline is refused after a refresh too, and costs nothing`() async throws {
        var request = NetworkRequest(url: api)
        request.timeLimits.total = .seconds(10)
        let network = network(everything)
        async let result = network.result(of: request)
        await server.nextExchange().respond(status: 401)
        let refresh = await server.nextExchange()
        clock.advance(by: .seconds(7))
        refresh.grant("new")
        await server.nextExchange().respond(status: 503, headers: ["Retry-After": "5"], body: "later")

        let error = await result.thrownError
        #expect(error?.payloadData == Data("later".utf8))
        #expect(error?.refusedRetry == .pauseOutlastsDeadline(pause: .seconds(5), left: .seconds(3)))
        #expect(error?.attempts == 2)
        #expect(budget.available == budget.capacity)
        expectNothingHeld()
    }

    @Test(arguments: ["refresh", "permit", "rate limit", "retry"])
    func `whoever is cancelled leaves every wait at once, and leaves nothing behind`(wait: String) async throws {
        let notes = NoteWatch()
        let events = tokens.events
        let network = Network(
            baseURL: api,
            actions: everything,
            transport: server,
            configuration: .init(time: clock, monitors: [notes])
        )
        func begin() -> Task<Result<NetworkResponse, NetworkError>, Never> {
            Task { await network.result(of: NetworkRequest(url: api)) }
        }
        let first = begin()
        let exchange = await server.nextExchange()
        var refresh: ConversationTransport.Exchange?
        var cancelled = first
        switch wait {
        case "refresh":
            exchange.respond(status: 401)
            refresh = await server.nextExchange()
        case "permit":
            cancelled = begin()
            await notes.next(with: "waits for a permit")
        case "rate limit":
            exchange.respond(headers: ["RateLimit": "\"a\";r=0;t=9"])
            _ = await first.value
            cancelled = begin()
            #expect(await clock.nextPauseWithPurpose().purpose == .init(rawValue: "rate-limit"))
        default:
            exchange.respond(status: 503)
            _ = await clock.nextPause()
        }
        cancelled.cancel()
        #expect(await cancelled.value.thrownCode == .cancelled)

        exchange.respond()
        _ = await first.value
        if let refresh {
            refresh.grant("new")
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next()?.description == "the token for global was renewed")
        }
        expectNothingHeld()
    }
}

private let api = URL(string: "https://api.test")!
