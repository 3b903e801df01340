import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct MockingTransportTests {
    private let live = ScriptedTransport([.json(#"{"id": 9, "title": "Live"}"#)])

    private func network(_ actions: [any Action] = []) -> Network {
        Network(baseURL: api, actions: actions, transport: live)
    }

    @Test func `answers with the mock of the request, through all actions`() async throws {
        let log = EventLog()
        let network = network([RecordingAction("A", log: log)]).mocking()
        #expect(try await network.send(GetTodo(id: 7)) == Todo(id: 7, title: "Milk"))
        #expect(log.lines == ["A will begin", "A began", "A response began", "A completed 200"])
        #expect(live.requests.isEmpty)
    }

    @Test func `a mock stays with a request that is configured, mapped or streamed`() async throws {
        let network = network().mocking()
        #expect(try await network.send(GetTodo(id: 1).configured { $0.tag = "x" }).id == 1)
        #expect(try await network.send(GetTodo(id: 1).mapped(by: .dictionary))["id"] == 1)
        #expect(try await network.stream(GetTodo(id: 1)).body.collect().isEmpty == false)
    }

    @Test func `to a live transport it is a request like any other`() async throws {
        #expect(try await network().send(GetTodo(id: 7)).title == "Live")
    }

    @Test func `a request without a mock fails, or is sent if that is wanted`() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await network().mocking().send(AddTodo(title: "Tea"))
        }
        #expect(error?.code == .unmatchedRequest)
        #expect(error?.explanation?.contains("AddTodo: it has no mock") == true)
        #expect(try await network().mocking(sendingOthers: true).send(AddTodo(title: "Tea")).title == "Live")
    }

    @Test func `a request can mock any response, and a failure`() async {
        struct Refused: MockedRequest {
            typealias Response = String
            let mockedData = Data()
            func buildRequest(with baseURL: URL) throws -> NetworkRequest { NetworkRequest(url: baseURL) }
            func mockedResponse(to request: NetworkRequest) throws -> NetworkResponse {
                guard request.headers.contains("X-Ready") else { throw NetworkError(.offline) }
                return try StubResponse.text("no", status: 403).response(to: request)
            }
        }
        let network = network().mocking()
        let offline = await #expect(throws: NetworkError.self) { try await network.send(Refused()) }
        #expect(offline?.code == .offline)
        let refused = await #expect(throws: NetworkError.self) {
            try await network.send(Refused().configured { $0.headers["X-Ready"] = "1" })
        }
        #expect(refused?.statusCode == 403)
    }

    @Test(arguments: [("[1]", "application/json"), (" \n{}", "application/json"), ("hello", nil), ("", nil)])
    func `mocked data has the type that it looks like`(data: String, type: String?) async throws {
        struct Mocked: MockedRequest {
            typealias Response = NetworkResponse
            let mockedData: Data
            func buildRequest(with baseURL: URL) throws -> NetworkRequest { NetworkRequest(url: baseURL) }
        }
        let response = try await network().mocking().send(Mocked(mockedData: Data(data.utf8)))
        #expect(response.headers[.contentType] == type)
        #expect(response.body.data == Data(data.utf8))
    }

    @Test func `a derived network has the other transport and everything else in common`() async throws {
        let original = network()
        let derived = original.replacingTransport { _ in StubTransport([.otherwise.respond(.text("other"))]) }
        #expect(try await derived.send(DataRequest<String>(GetTodo(id: 1))) == "other")
        #expect(try await original.send(GetTodo(id: 1)).title == "Live")
    }
}
