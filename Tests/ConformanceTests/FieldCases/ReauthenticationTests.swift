import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B04: the same wrong credential is not sent again and again, and nobody is asked twice about one failed attempt.
@Suite(.timeLimit(.minutes(3)))
struct ReauthenticationTests {
    private enum HasReplayed: ContextKey {
        static let defaultValue = false
    }

    /// Sends a token, and after a 401 another one, once.
    private static let tokens = HookAction(
        zone: .hop,
        willBegin: { request in
            var request = request
            let isReplay = request.context.store[HasReplayed.self]
            request.headers[.authorization] = isReplay ? "Bearer second" : "Bearer first"
            return .proceed(request)
        },
        completed: { outcome, request in
            let response = try outcome.get()
            let isRefused = response.status == 401 && !request.context.store.exchange(HasReplayed.self, for: true)
            return isRefused ? .retry(after: .zero) : .deliver(response)
        }
    )

    @Test func `a refused credential is replaced once, and the 401 comes with its body`() async throws {
        let server = try LoopbackServer()
        server.handle { _ in
            .status(401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""], body: "who are you?")
        }
        let network = Network(actions: [Self.tokens], transport: URLSessionTransport())
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(NetworkRequest(url: server.url("/always401")))
        }

        #expect(error?.statusCode == 401)
        #expect(error?.payloadData == Data("who are you?".utf8))
        #expect(server.requests.map { $0.first(of: "Authorization") } == ["Bearer first", "Bearer second"])
    }

    @Test func `a fresh credential that is accepted ends it`() async throws {
        let server = try LoopbackServer()
        server.handle { request in
            request.first(of: "Authorization") == "Bearer second" ? .text("welcome") : .empty(401)
        }
        let network = Network(actions: [Self.tokens], transport: URLSessionTransport())
        let response = try await network.send(NetworkRequest(url: server.url("/")))

        #expect(response.body.data == Data("welcome".utf8))
        #expect(server.requests.count == 2)
    }

    @Test func `a retrying action is asked once for each failed attempt, with a count that rises`() async throws {
        let server = try LoopbackServer()
        server.handle(nil, "/", inTurn: [.empty(503), [.reset], .empty(502), .text("up")])
        let log = EventLog()
        let retries = HookAction(completed: { outcome, request in
            log.append("pass \(request.pass), attempt \(request.context.attempt): \(outcome.summary)")
            if case .success(let response) = outcome, response.status.code < 500 { return .deliver(response) }
            return .retry(after: .zero)
        })
        let network = Network(actions: [retries], transport: URLSessionTransport())
        let reply = try await network.reply(to: NetworkRequest(url: server.url("/")))

        #expect(reply.status == 200)
        #expect(log.lines.first == "pass 1, attempt 1: 503")
        #expect(log.lines.last == "pass \(log.lines.count), attempt \(log.lines.count): 200")
        #expect(log.lines.count == reply.attempts)
        #expect(server.requests.count == 4)
    }
}
