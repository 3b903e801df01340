import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RequestIDActionTests {
    private let made = EventLog()

    private func makeAction(name: HTTPFieldName = "X-Request-ID") -> RequestIDAction {
        RequestIDAction(name: name) { [made] in
            made.append("id")
            return "id-\(made.lines.count)"
        }
    }

    @Test func `one for each send, whatever is retried or redirected`() async throws {
        let server = ScriptedTransport([
            .redirect(to: "https://other.test/"), .status(503), .status(200), .status(200),
        ])
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let network = Network(actions: [OuterRetryAction(), makeAction(), RetryAction(policy)], transport: server)
        let response = try await network.send(NetworkRequest(url: api))
        #expect(response.requestID == "id-1")
        _ = try await network.send(NetworkRequest(url: api))

        #expect(server.requests.map { $0.headers["X-Request-ID"] } == ["id-1", "id-1", "id-1", "id-2"])
    }

    @Test func `the same one when an action further out tries again`() async throws {
        let server = ScriptedTransport([.status(409), .status(200)])
        _ = try await Network(actions: [OuterRetryAction(), makeAction()], transport: server)
            .send(NetworkRequest(url: api))

        #expect(server.requests.map { $0.headers["X-Request-ID"] } == ["id-1", "id-1"])
    }

    @Test func `keeps what the caller chose`() async throws {
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let network = Network(actions: [makeAction()], transport: server)
        let inField = try await network.send(NetworkRequest(url: api, headers: ["x-request-id": "mine"]))
        let inProperty = try await network.send(NetworkRequest(url: api, customProperties: ["requestID": "mine too"]))

        #expect(server.requests.map { $0.headers["X-Request-ID"] } == ["mine", "mine too"])
        #expect([inField.requestID, inProperty.requestID] == ["mine", "mine too"])
        #expect(made.lines.isEmpty)
    }

    @Test(arguments: [ScriptedTransport.Answer.status(500), .failure(NetworkError(.offline, reach: .no))])
    func `is known to the error`(answer: ScriptedTransport.Answer) async throws {
        let network = Network(actions: [makeAction(name: "X-Correlation-ID")], transport: ScriptedTransport([answer]))
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }
        #expect(error?.requestID == "id-1")
    }

    @Test func `is a UUID of its own unless told otherwise, in a field by any name`() async throws {
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let network = Network(actions: [.requestID(name: "X-Correlation-ID")], transport: server)
        for _ in 0..<2 { _ = try await network.send(NetworkRequest(url: api)) }

        let ids = server.requests.compactMap { $0.headers["X-Correlation-ID"] }
        #expect(Set(ids).count == 2)
        #expect(ids.allSatisfy { UUID(uuidString: $0) != nil && $0 == $0.lowercased() })
    }

    @Test func `an identity that breaks the line is refused`() async throws {
        let network = Network(actions: [RequestIDAction { "a\r\nX: y" }], transport: ScriptedTransport([]))
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { RequestIDAction() } == [])
    }
}

/// Retries in the send zone, around everything.
struct OuterRetryAction: ResponseCompletedAction {
    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 409 && request.pass == 1 ? .retry(after: .zero) : .deliver(response)
    }
}

private let api = URL(string: "https://api.test")!
