import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct StubTransportTests {
    private func network(_ server: StubTransport, time: any TimeSource = SystemTime.shared) -> Network {
        Network(baseURL: api, transport: server, configuration: NetworkConfiguration(time: time))
    }

    private func text(_ response: NetworkResponse) -> String {
        String(decoding: response.body.data ?? Data(), as: UTF8.self)
    }

    // MARK: Answers

    @Test func `the first rule that matches answers`() async throws {
        let server = StubTransport([
            .when(.post).respond(.status(500)),
            .when(.get, path: "/v1/todos/{id}").respond(.json(["id": 7, "title": "Milk"])),
            .otherwise.respond(.status(404)),
        ])
        #expect(try await network(server).send(GetTodo(id: 7)) == Todo(id: 7, title: "Milk"))
        #expect(server.received.map(\.rule) == ["GET /v1/todos/{id}"])
        #expect(server.unusedRules == ["POST", "any request"])
    }

    @Test func `a closure answers by what was received`() async throws {
        let server = StubTransport([
            .when(.get, path: "**/todos/{id}").respond { received in
                .encoding(Todo(id: Int(received.captures["id"] ?? "") ?? 0, title: "Milk"))
            },
            .when(.post).respond { received in
                guard case .object(var members) = try received.json() else { return .status(400) }
                members["id"] = 9
                return .json(.object(members), status: 201)
            },
        ])
        #expect(try await network(server).send(GetTodo(id: 7)).id == 7)
        #expect(try await network(server).send(AddTodo(title: "Tea")) == Todo(id: 9, title: "Tea"))
        #expect(server.received.map(\.captures) == [["id": "7"], [:]])
        #expect(server.received.last?.body == Data(#"{"title":"Tea"}"#.utf8))
    }

    @Test func `each kind of response brings its body and its type`() async throws {
        let folder = try TemporaryFolder()
        try Data("from a file".utf8).write(to: folder.file("body"))
        let responses: [(StubResponse, type: String?, body: String)] = [
            (.status(204), nil, ""),
            (.json(["b": [1, nil], "a": "é"]), "application/json", #"{"a":"é","b":[1,null]}"#),
            (.json(text: "[1 ]", headers: ["Content-Type": "text/json"]), "text/json", "[1 ]"),
            (.text("hi"), "text/plain; charset=utf-8", "hi"),
            (.data(Data("x".utf8), contentType: "image/png"), "image/png", "x"),
            (.file(folder.file("body")), nil, "from a file"),
            (
                .encoding(["a"], with: PropertyListBodyEncoder(format: .binary)), "application/x-apple-binary-plist",
                nil ?? "bplist00"
            ),
        ]
        for (stub, type, body) in responses {
            let response = try stub.response(to: NetworkRequest(url: api))
            #expect(response.headers[.contentType] == type)
            #expect(text(response).hasPrefix(body))
        }
    }

    @Test func `chunks arrive as a stream`() async throws {
        let server = StubTransport([.otherwise.respond(.chunks([Data("a".utf8), Data(), Data("b".utf8)]))])
        let response = try await network(server).stream(GetTodo(id: 1))
        var chunks: [Data] = []
        for try await chunk in response.body { chunks.append(chunk) }
        #expect(chunks == [Data("a".utf8), Data("b".utf8)])
    }

    @Test func `a failure is that of a transport`() async {
        let rules: [(StubRule, NetworkError.Code)] = [
            (.otherwise.fail(.offline), .offline),
            (.otherwise.fail(URLError(.cannotFindHost)), .hostNotFound),
            (.otherwise.fail(NetworkError(.tlsExpired, reach: .no)), .tlsExpired),
        ]
        for (rule, code) in rules {
            let error = await #expect(throws: NetworkError.self) {
                try await network(StubTransport([rule])).send(GetTodo(id: 1))
            }
            #expect(error?.code == code)
            #expect(error?.step == .transport)
        }
    }

    @Test func `a delay is a pause of the network's time source`() async throws {
        let clock = ManualClock()
        let server = StubTransport([.otherwise.respond(.text("x")).delayed(by: .seconds(3))])
        async let response = network(server, time: clock).send(NetworkRequest(url: api))

        let pause = await clock.nextPauseWithPurpose()
        #expect(pause.duration == .seconds(3))
        #expect(pause.purpose == .stub)
        clock.advance(by: .seconds(3))
        #expect(text(try await response) == "x")
    }

    @Test func `cancellation ends a delay`() async {
        let clock = ManualClock()
        let server = StubTransport([.otherwise.respond().delayed(by: .seconds(3))])
        let task = Task { try await network(server, time: clock).send(NetworkRequest(url: api)) }
        _ = await clock.nextPause()
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a request is passed through with its body`() async throws {
        let other = ConversationTransport()
        let server = StubTransport([
            .when(path: "/a", body: .text("no")).respond(),
            .otherwise.passThrough(to: other),
        ])
        let body = RequestBody.stream {
            AsyncStream {
                $0.yield(Data("one".utf8)); $0.finish()
            }
        }
        let request = NetworkRequest(method: .post, url: URL(string: "https://api.test/a")!, body: body)
        async let response = network(server).send(request)

        let exchange = await other.nextExchange()
        #expect(exchange.request.body.data == Data("one".utf8), "what the first rule has read is still there")
        exchange.respond(body: "passed")
        #expect(text(try await response) == "passed")
        #expect(server.received.map(\.body) == [nil])
    }

    @Test func `a streamed body that no rule asks for is passed through as a stream`() async throws {
        let other = ConversationTransport()
        let server = StubTransport([.otherwise.passThrough(to: other)])
        let body = RequestBody.stream {
            AsyncStream {
                $0.yield(Data("one".utf8)); $0.finish()
            }
        }
        async let response = network(server).send(NetworkRequest(method: .post, url: api, body: body))
        let exchange = await other.nextExchange()
        #expect(exchange.request.body.data == nil)
        #expect(exchange.request.body.canBeSent)
        exchange.respond()
        _ = try await response
    }

    // MARK: How often

    @Test func `a rule answers as often as it says`() async throws {
        let server = StubTransport([
            .otherwise.respond(.text("first")).once(),
            .otherwise.respond(.text("then")).times(2),
        ])
        let network = network(server)
        var texts: [String] = []
        for _ in 0..<3 { texts.append(text(try await network.send(NetworkRequest(url: api)))) }
        #expect(texts == ["first", "then", "then"])

        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }
        #expect(error?.code == .unmatchedRequest)
        let unmatched = error?.underlying as? UnmatchedRequest
        #expect(
            unmatched?.candidates.map(\.reasons) == [
                ["it has answered its one request"], ["it has answered its 2 requests"],
            ]
        )
    }

    @Test func `side by side, a rule answers no more than it says`() async {
        let server = StubTransport([
            .otherwise.respond(.text("few")).times(10), .otherwise.respond(.text("rest")),
        ])
        let network = network(server)
        let texts = await withTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await network.send(DataRequest<String>(NetworkRequest(url: api)))) ?? "failed" }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(texts == ["few": 10, "rest": 40])
        #expect(server.received.count == 50)
    }

    @Test func `rules can be added`() async throws {
        let server = StubTransport()
        server.add(.when(GetTodo.self).respond(.json(["id": 1, "title": "Tea"])))
        #expect(try await network(server).send(GetTodo(id: 1)).title == "Tea")
    }

    @Test func `after its shutdown it answers no more, and what it passes to is shut down`() async {
        let other = ConversationTransport()
        let server = StubTransport([.otherwise.passThrough(to: other)])
        await server.shutdown()
        for transport in [server, other] as [any Transport] {
            let error = await #expect(throws: NetworkError.self) { try await transport.send(NetworkRequest(url: api)) }
            #expect(error?.code == .transportUnavailable)
        }
    }
}
