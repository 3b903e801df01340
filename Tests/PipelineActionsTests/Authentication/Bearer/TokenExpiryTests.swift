import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// What happens before a token goes out: it is renewed ahead of its end, or obtained.
@Suite(.timeLimit(.minutes(3)))
struct TokenExpiryTests {
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

    @Test func `the life of a token from the store counts from its reading, unless it says when it came`() async throws
    {
        let stage = AuthenticationStage(AccessToken("old", refreshToken: "for new", expiresIn: .seconds(3600)))
        let network = stage.network()
        async let first = network.send(AskProtected())
        await stage.next().0.respond(body: "ok")
        _ = try await first
        stage.clock.advance(by: .seconds(3600))
        async let second = network.send(AskProtected())
        let (refresh, line) = await stage.next()
        #expect(line == "token none")
        refresh.grant("new")
        await stage.next().0.respond(body: "ok")
        _ = try await second

        #expect(try await TokenVault(AccessToken("a", expiresIn: .seconds(60))).token()?.expiresAt != nil)
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
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer old")
        exchange.respond(body: "ok")
        _ = try await first

        try await sendWithOldToken(over: network, on: stage)

        // At its end it is renewed or nothing.
        stage.clock.advance(by: .seconds(50))
        async let third = network.result(of: AskProtected())
        await stage.next().0.fail(NetworkError(.connectionLost))
        #expect(await third.thrownCode == .authenticationFailed)
    }

    @Test func `if renewing ahead takes too long the token is used until its end, without another try`() async throws {
        let stage = AuthenticationStage(nil, clock: ManualClock(keepsTimeLimits: true))
        try await stage.tokens.set(AccessToken("old", refreshToken: "for new", expiresIn: .seconds(3600)))
        stage.clock.advance(by: .seconds(3550))
        let network = stage.network()
        async let first = network.send(AskProtected())
        let (refresh, _) = await stage.next()
        stage.clock.advance(by: .seconds(31))
        await refresh.untilCancelled()
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer old")
        exchange.respond(body: "ok")
        _ = try await first

        try await sendWithOldToken(over: network, on: stage)
    }

    /// Sends once more, which takes no refresh.
    private func sendWithOldToken(over network: Network, on stage: AuthenticationStage) async throws {
        async let answer = network.send(AskProtected())
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer old")
        exchange.respond(body: "ok")
        _ = try await answer
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
}
