import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

private struct Problem: Decodable, Sendable, Equatable {
    let code: String
}

private struct Other: Decodable, Sendable, Equatable {
    let number: Int
}

@Suite(.timeLimit(.minutes(3)))
struct ErrorPayloadActionTests {
    private let request = NetworkRequest(url: URL(string: "https://api.test/")!)
    private let monitor = RecordingMonitor()

    private func failure(
        _ answers: [ScriptedTransport.Answer],
        _ actions: any Action...,
        request: NetworkRequest? = nil
    ) async -> NetworkError? {
        let network = Network(
            actions: actions,
            transport: ScriptedTransport(answers),
            configuration: NetworkConfiguration(time: ManualClock(), monitors: [monitor])
        )
        return await #expect(throws: NetworkError.self) { try await network.send(request ?? self.request) }
    }

    private var notes: [String] {
        monitor.events.compactMap { event in
            if case .note("ErrorPayloadAction", let note) = event.kind { "\(note)" } else { nil }
        }
    }

    @Test func `reads what went wrong as a type of the application's`() async {
        let error = await failure([.json(#"{"code": "sold-out"}"#, status: 422)], .errorPayload(Problem.self))
        #expect(error?.errorPayload(as: Problem.self) == Problem(code: "sold-out"))
        #expect(error?.errorPayload(as: Other.self) == nil)
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.step == .status)
        #expect(error?.statusCode == 422)
        #expect(notes.isEmpty)
    }

    @Test(arguments: [
        ("<html>", "text/html"), ("{\"code\": 7, \"secret\": \"canary\"}", "application/json"),
        ("[]", "application/json"),
    ])
    func `the send fails as it would without, if the body is something else`(body: String, type: String) async {
        let answer = ScriptedTransport.Answer.status(500, headers: [.contentType: type], body: body)
        let without = await failure([answer])
        let error = await failure([answer], .errorPayload(Problem.self))
        #expect(error?.errorPayload(as: Problem.self) == nil)
        #expect(error?.description == without?.description)
        #expect(error?.payloadData == Data(body.utf8))
        #expect(notes == ["the body of the 500 is not a Problem"])
    }

    @Test func `nothing is said of an empty body`() async {
        let error = await failure([.status(500)], .errorPayload(Problem.self))
        #expect(error?.errorPayload(as: Problem.self) == nil)
        #expect(notes.isEmpty)
    }

    @Test func `several types stand side by side`() async {
        let error = await failure(
            [.json(#"{"code": "a", "number": 7}"#, status: 400)],
            .errorPayload(Problem.self),
            .errorPayload(Other.self)
        )
        #expect(error?.errorPayload(as: Problem.self) == Problem(code: "a"))
        #expect(error?.errorPayload(as: Other.self) == Other(number: 7))
    }

    @Test func `reads as the request does, or in a way of its own`() async {
        struct Snake: Decodable, Sendable { let errorCode: String }
        let answer = ScriptedTransport.Answer.json(#"{"error_code": "a"}"#, status: 400)
        let decoder = JSONBodyDecoder { $0.keyDecodingStrategy = .convertFromSnakeCase }
        var own = request
        own.decoder = decoder

        #expect(await failure([answer], .errorPayload(Snake.self))?.errorPayload(as: Snake.self) == nil)
        let byRequest = await failure([answer], .errorPayload(Snake.self), request: own)
        #expect(byRequest?.errorPayload(as: Snake.self)?.errorCode == "a")
        let byAction = await failure([answer], .errorPayload(Snake.self, decoder: decoder))
        #expect(byAction?.errorPayload(as: Snake.self)?.errorCode == "a")
    }

    @Test(arguments: [
        ("application/json", true), ("application/problem+json; charset=utf-8", true), ("text/plain", false),
        (nil, false),
    ])
    func `reads only the types it is told`(type: String?, isRead: Bool) async {
        let answer = ScriptedTransport.Answer.status(
            400,
            headers: type.map { [.contentType: $0] } ?? [:],
            body: #"{"code": "a"}"#
        )
        let types: [MediaRange] = [.json, "application/problem+json"]
        let error = await failure([answer], .errorPayload(Problem.self, types: types))
        #expect((error?.errorPayload(as: Problem.self) != nil) == isRead)
        #expect(notes.isEmpty)
    }

    @Test func `a body that is too large is no message`() async {
        let body = #"{"code": "\#(String(repeating: "a", count: 1 << 20))"}"#
        let error = await failure([.json(body, status: 400)], .errorPayload(Problem.self))
        #expect(error?.errorPayload(as: Problem.self) == nil)
        #expect(error?.payloadData?.count == body.utf8.count)
    }

    @Test func `what is accepted is left alone`() async throws {
        var own = request
        own.acceptableStatuses = [422]
        let server = ScriptedTransport([.json(#"{"code": "a"}"#, status: 422)])
        let response = try await Network(actions: [.errorPayload(Problem.self)], transport: server).send(own)
        #expect(response.status == 422)
    }

    @Test func `an error knows what its own response said, not what an earlier one did`() async {
        let error = await failure(
            [.json(#"{"code": "first"}"#, status: 503), .json("{}", status: 500)],
            RetryOf503(),
            .errorPayload(Problem.self)
        )
        #expect(error?.statusCode == 500)
        #expect(error?.errorPayload(as: Problem.self) == nil)
    }

    @Test func `an error of an action further in is read too`() async {
        let error = await failure(
            [.json(#"{"code": "a"}"#, status: 401)],
            .errorPayload(Problem.self),
            FailingFor401()
        )
        #expect(error?.code == .actionFailed)
        #expect(error?.errorPayload(as: Problem.self) == Problem(code: "a"))
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { .errorPayload(Problem.self) }.isEmpty)
    }

    // MARK: Problem documents

    @Test(arguments: [
        (
            #"{"type": "https://a.test/sold-out", "title": "Sold out", "status": 422, "detail": "none left", "instance": "/7"}"#,
            "https://a.test/sold-out"
        ),
        (#"{"title": "Sold out", "more": [1]}"#, "about:blank"), (#"{"type": "a", "status": "422", "title": 7}"#, "a"),
        (#"{"instance": "/7"}"#, "about:blank"), (#"{"message": "no"}"#, nil), ("{}", nil), ("[]", nil),
    ])
    func `reads problem documents`(body: String, type: String?) async {
        let error = await failure([.json(body, status: 422)], .errorPayload(ProblemDetails.self))
        #expect(error?.errorPayload(as: ProblemDetails.self)?.type == type)
    }
}

private struct RetryOf503: ResponseCompletedAction {
    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 ? .retry(after: .zero) : .deliver(response)
    }
}

private struct FailingFor401: ResponseCompletedAction {
    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        guard response.status == 401 else { return .deliver(response) }
        throw NetworkError(.actionFailed, "no token", response: response)
    }
}
