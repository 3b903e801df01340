import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// When a token is renewed, and what becomes of those who need it.
@Suite(.timeLimit(.minutes(3)))
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
}
