import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct IdempotencyKeyActionTests {
    private let made = EventLog()

    private var action: IdempotencyKeyAction {
        IdempotencyKeyAction { [made] in
            made.append("key")
            return "key-\(made.lines.count)"
        }
    }

    private var retry: RetryAction {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        return RetryAction(policy)
    }

    @Test func `one for each send, whatever is retried, refreshed or redirected`() async throws {
        let server = ScriptedTransport([
            .status(409), .redirect(to: "/next", status: 307), .status(401), .failure(NetworkError(.connectionLost)),
            .status(503), .status(200), .status(200),
        ])
        let network = Network(actions: [OuterRetryAction(), action, RefreshAction(), retry], transport: server)
        let post = NetworkRequest(method: .post, url: api, body: .text("order"))
        for _ in 0..<2 { _ = try await network.send(post) }

        #expect(
            server.requests.map { $0.headers[.idempotencyKey] } == Array(repeating: "key-1", count: 6) + ["key-2"]
        )
    }

    @Test(arguments: [
        (HTTPMethod.post, true), (.patch, true), (.get, false), (.head, false), (.put, false), (.delete, false),
        ("PURGE", false),
    ])
    func `by method`(method: HTTPMethod, hasKey: Bool) async throws {
        let server = ScriptedTransport([.status(200)])
        _ = try await Network(actions: [action], transport: server).send(NetworkRequest(method: method, url: api))
        #expect(server.requests.first?.headers.contains(.idempotencyKey) == hasKey)
    }

    struct Option: Sendable {
        var method = HTTPMethod.post
        var headers: HTTPHeaders = [:]
        var properties: CustomProperties = [:]
        var key: String?
    }

    @Test(arguments: [
        Option(headers: ["idempotency-key": "in the field"], key: "in the field"),
        Option(properties: ["idempotencyKey": "in the option"], key: "in the option"),
        Option(method: .get, properties: ["idempotencyKey": "in the option"], key: "in the option"),
        Option(method: .put, properties: ["sendsIdempotencyKey": true], key: "key-1"),
        Option(properties: ["sendsIdempotencyKey": false], key: nil),
        Option(properties: ["sendsIdempotencyKey": false, "idempotencyKey": "unused"], key: nil),
        Option(headers: ["Idempotency-Key": "kept"], properties: ["sendsIdempotencyKey": false], key: "kept"),
    ])
    func `by request`(option: Option) async throws {
        let server = ScriptedTransport([.status(200)])
        let request = NetworkRequest(
            method: option.method,
            url: api,
            headers: option.headers,
            customProperties: option.properties
        )
        _ = try await Network(actions: [action], transport: server).send(request)
        #expect(server.requests.first?.headers[.idempotencyKey] == option.key)
    }

    @Test func `makes a POST one that is repeated after a lost connection`() async throws {
        let server = try LoopbackServer()
        server.handle(nil, "/", inTurn: [[.close], .text("placed")])
        let response = try await Network(actions: [.idempotencyKey, retry])
            .send(NetworkRequest(method: .post, url: server.url("/"), body: .text("order")))

        #expect(response.status == 200)
        let keys = server.requests.map { $0.first(of: "Idempotency-Key") }
        #expect(keys.count == 2 && Set(keys).count == 1 && keys[0] != nil)
    }

    @Test func `keeps the rules of actions`() async {
        let post = NetworkRequest(method: .post, url: api)
        #expect(await ActionConformance.violations(sending: post) { IdempotencyKeyAction() } == [])
    }
}

/// Tries again after 401, as authentication does.
private struct RefreshAction: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 401 && request.pass == 1 ? .retry(after: .zero) : .deliver(response)
    }
}

private let api = URL(string: "https://api.test")!
