import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct AcceptableContentTypesActionTests {
    private func request(_ types: [MediaRange]? = nil, method: HTTPMethod = .get) -> NetworkRequest {
        var request = NetworkRequest(method: method, url: URL(string: "https://api.test/")!)
        if let types { request.acceptableContentTypes = types }
        return request
    }

    private func network(_ answers: [ScriptedTransport.Answer], _ types: [MediaRange] = [.json]) -> Network {
        Network(actions: [.acceptableContentTypes(types)], transport: ScriptedTransport(answers))
    }

    private static func answer(_ type: String?, status: HTTPStatus = 200, body: String = "<p>")
        -> ScriptedTransport.Answer
    {
        .status(status, headers: type.map { [.contentType: $0] } ?? [:], body: body)
    }

    // MARK: Asking

    private static let asked: [(action: [MediaRange], request: [MediaRange]?, header: String?, accept: String?)] = [
        ([], nil, nil, nil),
        ([.json], nil, nil, "application/json"),
        ([.json, "text/*;q=0.5"], nil, nil, "application/json, text/*;q=0.5"),
        ([.json], ["image/png"], nil, "image/png"),
        ([.json], [], nil, nil),
        ([], ["image/png"], nil, "image/png"),
        ([.json], nil, "text/csv", "text/csv"),
    ]

    @Test(arguments: asked.indices)
    func `asks for what is accepted`(index: Int) async throws {
        let (action, types, header, accept) = Self.asked[index]
        let server = ScriptedTransport([.status(204)])
        var request = request(types)
        request.headers[.accept] = header
        _ = try await Network(actions: [.acceptableContentTypes(action)], transport: server).send(request)
        #expect(server.requests.first?.headers[.accept] == accept)
    }

    // MARK: Answers

    private static let passing: [(String, HTTPMethod, ScriptedTransport.Answer)] = [
        ("the type", .get, answer("application/json")),
        ("with a parameter", .get, answer("application/json; charset=utf-8")),
        ("no body", .get, answer("text/html", body: "")),
        ("neither body nor type", .get, answer(nil, body: "")),
        ("204", .get, answer("text/html", status: 204)),
        ("HEAD", .head, answer("text/html")),
    ]

    @Test(arguments: passing.indices)
    func `lets pass what is accepted, and what has no body`(index: Int) async throws {
        let (_, method, answer) = Self.passing[index]
        _ = try await network([answer]).send(request(method: method))
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "text/html; charset=utf-8"),
        ("application/problem+json", "application/problem+json"),
        (nil, "application/octet-stream"), ("nonsense", "nonsense"),
    ])
    func `refuses other types with the response attached`(type: String?, shown: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await network([Self.answer(type)], [.json, "image/*"]).send(request())
        }
        #expect(error?.code == .unacceptableContentType)
        #expect(error?.category == .response)
        #expect(error?.statusCode == 200)
        #expect(error?.payloadData == Data("<p>".utf8))
        #expect(error?.explanation == "the body is \(shown), and the request accepts application/json, image/*")
    }

    @Test func `a type that is too long is cut, and one with control characters shown without`() async {
        let answer = Self.answer("text/\u{1B}[2J" + String(repeating: "x", count: 5000))
        let error = await #expect(throws: NetworkError.self) { try await network([answer]).send(request()) }
        let text = error?.description ?? ""
        #expect(text.count < 400 && !text.contains("\u{1B}"))
    }

    @Test func `a status that is not accepted is what the send fails for`() async {
        let error = await #expect(throws: NetworkError.self) {
            try await network([Self.answer("text/html", status: 502)]).send(request())
        }
        #expect(error?.code == .unacceptableStatus)
    }

    @Test func `looks at what comes out of redirects`() async throws {
        let server = ScriptedTransport([
            .status(302, headers: [.location: "https://b.test/", .contentType: "text/html"], body: "moved"),
            Self.answer("application/json"),
        ])
        _ = try await Network(actions: [.acceptableContentTypes([.json])], transport: server).send(request())
        #expect(server.requests.map { $0.headers[.accept] } == ["application/json", "application/json"])
    }

    @Test func `a request has its own types, by name too`() async throws {
        var own = request()
        own.customProperties["acceptableContentTypes"] = ["text/*"] as [MediaRange]
        _ = try await network([Self.answer("text/html")]).send(own)
        _ = try await network([Self.answer("text/html")]).send(request([]))
        await #expect(throws: NetworkError.self) { try await network([Self.answer("application/json")]).send(own) }
    }

    @Test func `a stream of another type is let go of`() async throws {
        let server = ConversationTransport()
        let network = Network(actions: [.acceptableContentTypes([.json])], transport: server)
        var streamed = request()
        streamed.delivery = .stream
        let wasDropped = OneShot<Void>()
        let sent = Task { [streamed] in try await network.send(streamed) }
        let exchange = await server.nextExchange()
        let pipe = exchange.respondStreaming(
            headers: [.contentType: "text/html"],
            expectedLength: 1 << 20,
            onCancel: { wasDropped.resolve(()) }
        )
        let error = await #expect(throws: NetworkError.self) { try await sent.value }
        #expect(error?.code == .unacceptableContentType)
        await wasDropped.value()
        pipe.finish()
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { .acceptableContentTypes(["*/*"]) }.isEmpty)
    }
}
