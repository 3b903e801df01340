import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Tokens for all requests of a service in one enumeration.
@Suite(.timeLimit(.minutes(3)))
struct TokenEndpointTests {
    enum Todos: RenewingEndpoint {
        case all, serverTime, audit
        case renew(String)

        var path: EndpointPath {
            switch self {
            case .all: "all"
            case .serverTime: "time"
            case .audit: "audit"
            case .renew: "token"
            }
        }

        var method: HTTPMethod { if case .renew = self { .post } else { .get } }

        var data: EndpointData {
            if case .renew(let token) = self { .form(["refresh_token": token]) } else { .plain }
        }

        var requiresAccessToken: Bool? { if case .serverTime = self { false } else { nil } }

        var tokenStrategy: TokenStrategy? { if case .audit = self { .label("auditor") } else { nil } }

        static func renewal(for refresh: TokenRefresh) throws -> (Todos, as: Login.Type) {
            (.renew(try refresh.refreshToken), as: Login.self)
        }
    }

    struct Login: Decodable, AccessTokenConvertible {
        var jwt: String

        func makeAccessToken() -> AccessToken { AccessToken(jwt) }
    }

    private let stage = AuthenticationStage(strategy: .requestType)

    private func todos() async throws -> Endpoints<Todos> {
        try await stage.tokens.set(AccessToken("old", refreshToken: "for new"), for: .type(Todos.self))
        try await stage.tokens.set(AccessToken("of the auditor"), for: .label("auditor"))
        return stage.network(BearerTokenAction(stage.tokens, renewedBy: Todos.self)).endpoints(Todos.self)
    }

    @Test(arguments: [
        (Todos.all, "all Bearer old"), (.serverTime, "time none"), (.audit, "audit Bearer of the auditor"),
    ])
    func `each case says whether it needs a token, and which`(endpoint: Todos, expected: String) async throws {
        let todos = try await todos()
        async let answer = todos.send(endpoint, as: String.self)
        let (exchange, line) = await stage.next()
        exchange.respond(body: "ok")

        #expect(line == expected)
        #expect(try await answer == "ok")
    }

    @Test func `an endpoint renews the token of the others, and the request is sent again`() async throws {
        let todos = try await todos()
        async let answer = todos.send(.all, as: String.self)
        await stage.next().0.respond(status: 401)

        var (exchange, line) = await stage.next()
        #expect(line == "token none")
        #expect(exchange.request.body.data == Data("refresh_token=for%20new".utf8))
        exchange.respond(body: #"{"jwt": "new"}"#)

        (exchange, line) = await stage.next()
        #expect(line == "all Bearer new")
        exchange.respond(body: "ok")
        #expect(try await answer == "ok")
    }

    @Test func `without a refresh token the login is over`() async throws {
        let todos = try await todos()
        async let result = todos.result(of: .audit, as: String.self)
        await stage.next().0.respond(status: 401)

        #expect(await result.thrownError != nil)
        #expect(try await stage.tokens.token(for: .label("auditor")) == nil)
        #expect(try await stage.tokens.token(for: .type(Todos.self))?.value == "old")
    }
}
