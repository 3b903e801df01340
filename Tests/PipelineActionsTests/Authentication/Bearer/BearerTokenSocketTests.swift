import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// What a server sees: B04 and B16 over real sockets.
@Suite(.timeLimit(.minutes(3)))
struct BearerTokenSocketTests {
    func network(_ server: LoopbackServer, _ tokens: TokenVault) -> Network {
        Network(
            baseURL: server.url,
            actions: [BearerTokenAction(tokens) { _ in AccessToken("new") }]
        )
    }

    let tokens = TokenVault(store: MemoryTokenStore([.global: AccessToken("old")]))

    @Test func `a server that refuses every token is asked twice, and its answer is whole`() async throws {
        let server = try LoopbackServer()
        server.handle("GET", "/ask") { _ in .status(401, headers: ["WWW-Authenticate": "Bearer"], body: "never") }
        let error = await network(server, tokens).result(of: AskProtected()).thrownError

        #expect(error?.statusCode == 401)
        #expect(error?.payloadData == Data("never".utf8))
        #expect(error?.attempts == 2)
        #expect(server.requests.map { $0.first(of: "Authorization") } == ["Bearer old", "Bearer new"])
    }

    @Test func `a token stays at home when a redirect leads to another port, and when it leads back`() async throws {
        let home = try LoopbackServer()
        let away = try LoopbackServer()
        home.handle("GET", "/ask") { [url = away.url("/away").absoluteString] _ in .redirect(to: url) }
        away.handle("GET", "/away") { [url = home.url("/back").absoluteString] _ in .redirect(to: url) }
        home.handle("GET", "/back") { _ in .text("welcome") }

        #expect(try await network(home, tokens).send(AskProtected()) == "welcome")
        #expect(home.requests.map { $0.first(of: "Authorization") } == ["Bearer old", nil])
        #expect(away.requests.map { $0.first(of: "Authorization") } == [nil])
    }

    @Test func `a refusal at the other end of a redirect renews nothing`() async throws {
        let home = try LoopbackServer()
        let away = try LoopbackServer()
        home.handle("GET", "/ask") { [url = away.url("/away").absoluteString] _ in .redirect(to: url) }
        away.handle("GET", "/away") { _ in .empty(401) }

        #expect(await network(home, tokens).result(of: AskProtected()).thrownError?.statusCode == 401)
        #expect(away.requests.count == 1)
        #expect(try await tokens.token()?.value == "old")
    }

    @Test func `a redirect within the origin keeps the token`() async throws {
        let server = try LoopbackServer()
        server.handle("GET", "/ask") { _ in .redirect(to: "/next") }
        server.handle("GET", "/next") { request in .text(request.first(of: "Authorization") ?? "none") }

        #expect(try await network(server, tokens).send(AskProtected()) == "Bearer old")
    }
}
