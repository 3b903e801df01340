import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Multiparts on their way through real sockets.
@Suite(.timeLimit(.minutes(3)))
struct MultipartSocketTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.handle { _ in .text("ok") }
    }

    func network(_ kind: TransportKind, actions: [any Action] = []) -> Network {
        Network(baseURL: server.url("/"), actions: actions, transport: kind.transport)
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `arrives whole, framed by its length or chunked`(kind: TransportKind, hasLength: Bool) async throws {
        let file = try TemporaryFile(Data(repeating: 9, count: 300_000))
        let stream = RequestBody.stream(length: hasLength ? 3 : nil, isReplayable: true) { OneChunk("abc") }
        let body = RequestBody.multipart([.field("a", "Zoë"), .file("f", at: file.url), FormPart("s", stream)])

        _ = try await network(kind).send(.post("upload").body(body))

        let request = try #require(server.requests.last)
        #expect(request.body == (try await body.read()))
        #expect(request.values(of: "Content-Type") == [try #require(body.contentType)])
        // URLSession on Linux cannot send a stream, so its transport spools one that has no length.
        if kind == .standard || hasLength {
            #expect(request.isChunked == !hasLength)
            #expect(request.values(of: "Content-Length") == (hasLength ? ["\(request.body.count)"] : []))
        }
        #expect(body.length == (hasLength ? request.body.count : nil))
    }

    /// Retries what the server turned away.
    struct AgainAction: ResponseCompletedAction {
        func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
            let response = try outcome.get()
            return response.status == 503 ? .retry(after: .zero, with: nil) : .deliver(response)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `B07: is sent again from its beginning, or not at all`(kind: TransportKind) async throws {
        server.handle("POST", "/again", inTurn: [.status(503), .text("ok")])
        let replayable = RequestBody.multipart([.field("a", 1), .data("b", Data("bytes".utf8))])
        _ = try await network(kind, actions: [AgainAction()]).send(.post("again").body(replayable))
        #expect(server.requests.count == 2)
        #expect(Set(server.requests.map(\.body)) == [try await replayable.read()])

        server.handle("POST", "/once", inTurn: [.status(503), .text("ok")])
        let once = RequestBody.multipart([.field("a", 1), FormPart("s", .stream { OneChunk("x") })])
        let error = await #expect(throws: NetworkError.self) {
            try await network(kind, actions: [AgainAction()]).send(.post("once").body(once))
        }
        #expect(error?.statusCode == 503)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: TransportKind.allCases)
    func `forms, JSON and property lists arrive with their types`(kind: TransportKind) async throws {
        for (body, type, text) in [
            (RequestBody.form(["q": "1 + 1"]), "application/x-www-form-urlencoded", "q=1%20%2B%201"),
            (.json(["id": 1, "on": true]), "application/json", #"{"id":1,"on":true}"#),
            (.json(text: "[ 1 ]"), "application/json", "[ 1 ]"),
        ] {
            _ = try await network(kind).send(.put("x").body(body))
            #expect(server.requests.last?.bodyText == text)
            #expect(server.requests.last?.values(of: "Content-Type") == [type])
        }
        _ = try await network(kind).send(.put("x").body(.propertyList(User(name: "Ada"), format: .binary)))
        let request = try #require(server.requests.last)
        #expect(request.values(of: "Content-Type") == ["application/x-apple-binary-plist"])
        #expect(try PropertyListDecoder().decode(User.self, from: request.body) == User(name: "Ada"))
    }
}
