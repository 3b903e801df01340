import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ResponseMapperTests {
    private func network(answering body: String, status: HTTPStatus = 200, type: String = "application/json") -> Network
    {
        let answer = ScriptedTransport.Answer.status(status, headers: [.contentType: type], body: body)
        return Network(baseURL: api, transport: ScriptedTransport([answer]))
    }

    // MARK: The ready ones

    @Test func `reads a model`() async throws {
        let network = network(answering: #"{"name": "Ada"}"#)
        #expect(try await network.send(GetGreeting().mapped(by: .model(User.self))) == User(name: "Ada"))
    }

    @Test func `reads a model with the decoder of the network, or with one of its own`() async throws {
        let answers = Array(repeating: ScriptedTransport.Answer.json(#"{"first_name": "Ada"}"#), count: 2)
        var configuration = NetworkConfiguration()
        configuration.decoder = JSONBodyDecoder { $0.keyDecodingStrategy = .convertFromSnakeCase }
        let network = Network(baseURL: api, transport: ScriptedTransport(answers), configuration: configuration)
        struct Person: Decodable, Sendable { let firstName: String }

        #expect(try await network.send(GetGreeting().mapped(by: .model(Person.self))).firstName == "Ada")

        let plain = ResponseMapper.model(Person.self, decoder: JSONBodyDecoder())
        let error = await #expect(throws: NetworkError.self) { try await network.send(GetGreeting().mapped(by: plain)) }
        #expect(error?.code == .decodingFailed)
    }

    @Test func `reads a dictionary`() async throws {
        let network = network(answering: #"{"name": "Ada", "age": 36, "tags": ["a", null]}"#)
        let members = try await network.send(GetGreeting().mapped(by: .dictionary))
        #expect(members == ["name": "Ada", "age": 36, "tags": ["a", nil]])
    }

    @Test func `reads a list of dictionaries`() async throws {
        let network = network(answering: #"[{"id": 1}, {}]"#)
        #expect(try await network.send(GetGreeting().mapped(by: .dictionaries)) == [["id": 1], [:]])
    }

    @Test func `takes the body as data and as text`() async throws {
        #expect(try await network(answering: "hello").send(GetGreeting().mapped(by: .data)) == Data("hello".utf8))
        let latin = ScriptedTransport { request in
            let body = ResponseBody.bytes(Data([0x68, 0xE9]))
            return NetworkResponse(
                status: 200,
                headers: [.contentType: "text/plain; charset=iso-8859-1"],
                body: body,
                request: request
            )
        }
        let network = Network(baseURL: api, transport: latin)
        #expect(try await network.send(GetGreeting().mapped(by: .text)) == "hé")
    }

    // MARK: Empty bodies

    @Test func `an empty body is an error for a model and nothing for an optional one`() async throws {
        let mapper = ResponseMapper.model(User.self)
        let error = await #expect(throws: NetworkError.self) {
            try await network(answering: "").send(GetGreeting().mapped(by: mapper))
        }
        #expect(error?.code == .emptyBody)
        #expect(try await network(answering: "").send(GetGreeting().mapped(by: mapper.optional)) == nil)
        let present = network(answering: #"{"name": "Ada"}"#)
        #expect(try await present.send(GetGreeting().mapped(by: mapper.optional)) == User(name: "Ada"))
    }

    @Test func `a body that cannot be one is empty for a mapper`() async throws {
        let network = network(answering: "not a body", status: 204)
        #expect(try await network.send(GetGreeting().mapped(by: .data)).isEmpty)
    }

    // MARK: Functions of one's own

    @Test func `a function sees body and head`() async throws {
        let network = network(answering: "12", type: "text/plain")
        let value = try await network.send(
            GetGreeting().mapped { body, response in "\(body.count) \(response.status.code) \(response.mimeType ?? "")"
            }
        )
        #expect(value == "2 200 text/plain")
    }

    @Test func `what a function throws is a decoding error that says what was there`() async {
        struct Unlucky: Error {}
        let mapper = ResponseMapper<Int> { _, _ in throw Unlucky() }
        let error = await #expect(throws: NetworkError.self) {
            try await network(answering: "thirteen").send(GetGreeting().mapped(by: mapper))
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.step == .decode)
        #expect(error?.underlying is Unlucky)
        #expect(error?.payloadData == Data("thirteen".utf8))
        #expect(error?.description.contains("the body is not a Int; it begins thirteen") == true)
    }

    @Test func `an error of the network that a function throws stays what it is`() async {
        let mapper = ResponseMapper<Int> { _, _ in throw NetworkError(.unacceptableContentType) }
        let error = await #expect(throws: NetworkError.self) {
            try await network(answering: "1").send(GetGreeting().mapped(by: mapper))
        }
        #expect(error?.code == .unacceptableContentType)
    }

    @Test func `a mapper is not asked about a status that is not acceptable`() async {
        let mapper = ResponseMapper<Int> { _, _ in 1 }
        let error = await #expect(throws: NetworkError.self) {
            try await network(answering: "1", status: 404).send(GetGreeting().mapped(by: mapper))
        }
        #expect(error?.code == .unacceptableStatus)
    }

    @Test func `a mapper works on a value of another`() async throws {
        let name = ResponseMapper.model(User.self).map(\.name)
        #expect(try await network(answering: #"{"name": "Ada"}"#).send(GetGreeting().mapped(by: name)) == "Ada")
    }

    // MARK: What stays of the request

    @Test func `a mapped request keeps options, properties and actions, and its type`() async throws {
        struct Marked: Request {
            typealias Response = String
            let log: EventLog
            var actions: [any Action] { [RecordingAction("own", log: log)] }
            var customProperties: CustomProperties { ["label": "x"] }
            func buildRequest(with baseURL: URL) throws -> NetworkRequest { NetworkRequest(url: baseURL) }
        }
        let log = EventLog()
        let server = ScriptedTransport([.json("{}")])
        _ = try await Network(baseURL: api, transport: server).send(Marked(log: log).mapped(by: .dictionary))

        #expect(log.lines == ["own will begin", "own began", "own response began", "own completed 200"])
        #expect(server.requests.first?.customProperties["label"] as? String == "x")
        #expect(Marked(log: log).mapped(by: .dictionary).requestType == Marked.self)
    }

    @Test func `every face takes a mapped request`() async throws {
        let server = ScriptedTransport { request in
            NetworkResponse(status: 200, body: .bytes(Data(#"{"id": 1}"#.utf8)), request: request)
        }
        let network = Network(baseURL: api, transport: server)
        let request = GetGreeting().mapped(by: .dictionary)

        #expect(try await network.reply(to: request).value == ["id": 1])
        #expect(try await network.result(of: request).get() == ["id": 1])
        let called = await withCheckedContinuation { done in network.send(request) { done.resume(returning: $0) } }
        #expect(try called.get() == ["id": 1])
    }
}
