import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Every property that actions read can be given by its name, and is refused if it holds something else.
@Suite(.timeLimit(.minutes(3)))
struct PropertiesByNameTests {
    private let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }

    private func network() throws -> Network {
        let actions: [any Action] = [
            RequestIDAction(), IdempotencyKeyAction(), BearerTokenAction(TokenVault(AccessToken("t"))),
            try DigestAuthenticationAction(PasswordCredential(user: "u", password: "p")), RetryAction(),
            RateLimitAction(nil), ConcurrencyLimitAction(maximumConcurrentRequests: 1), RequestCompressionAction(),
        ]
        return Network(baseURL: URL(string: "https://api.test")!, actions: actions, transport: server)
    }

    private static let names = [
        "requiresAuthentication", "tokenStrategy", "retryPolicy", "isIdempotent", "idempotencyKey",
        "sendsIdempotencyKey", "requestID", "compressesBody", "ignoresConcurrencyLimit", "ignoresRateLimit",
    ]

    @Test(arguments: names)
    func `a value of the wrong type is an error that names it, and nothing is sent`(name: String) async throws {
        let error = try await network().result(of: AskProtected("ask", [name: 7.5])).thrownError
        #expect(error?.code == .invalidRequest)
        #expect(error.map { "\($0)" }?.contains("\"\(name)\"") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func `values of the right types are taken by name`() async throws {
        let properties: CustomProperties = [
            "requiresAuthentication": false, "tokenStrategy": TokenStrategy.label("a"),
            "retryPolicy": RetryPolicy.never, "isIdempotent": true, "idempotencyKey": "k",
            "sendsIdempotencyKey": true, "requestID": "r", "compressesBody": true, "ignoresConcurrencyLimit": true,
            "ignoresRateLimit": true,
        ]
        _ = try await network().send(AskProtected("ask", properties))
        let request = try #require(server.requests.first)
        #expect(request.headers[.idempotencyKey] == "k")
        #expect(request.headers["X-Request-ID"] == "r")
        #expect(!request.headers.contains(.authorization))
    }
}
