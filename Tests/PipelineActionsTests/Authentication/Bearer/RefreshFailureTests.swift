import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// What becomes of a refresh that does not bring a token, and of those who need it.
@Suite(.timeLimit(.minutes(3)))
struct RefreshFailureTests {
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
}
