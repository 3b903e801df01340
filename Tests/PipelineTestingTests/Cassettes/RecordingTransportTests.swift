import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RecordingTransportTests {
    private let folder: TemporaryFolder
    private let server = ConversationTransport()

    init() throws { folder = try TemporaryFolder() }

    private func recorder(bodyLimit: Int = 1000) -> RecordingTransport {
        RecordingTransport(around: server, to: folder.file("a.json"), bodyLimit: bodyLimit)
    }

    @Test func `records what was sent and what came, and changes neither`() async throws {
        let recorder = recorder()
        let network = Network(baseURL: api, transport: recorder)
        async let todo = network.send(AddTodo(title: "Tea"))
        let exchange = await server.nextExchange()
        #expect(exchange.request.body.data == Data(#"{"title":"Tea"}"#.utf8))
        exchange.respond(status: 201, headers: [.contentType: "application/json"], body: #"{"id": 1, "title": "Tea"}"#)
        #expect(try await todo == Todo(id: 1, title: "Tea"))

        let recorded = Cassette.Exchange(
            request: .init(
                method: "POST",
                url: "https://api.test/v1/todos",
                headers: ["Content-Type: application/json"],
                body: .json(["title": "Tea"])
            ),
            response: .init(
                status: 201,
                headers: ["Content-Type: application/json"],
                body: .json(["id": 1, "title": "Tea"])
            )
        )
        #expect(recorder.cassette == Cassette([recorded]))
        try recorder.save()
        #expect(try Cassette(contentsOf: folder.file("a.json")) == Cassette([recorded]))
    }

    @Test func `a stream stays one: each chunk is handed on before the next has come`() async throws {
        let recorder = recorder()
        async let sent = Network(baseURL: api, transport: recorder).stream(GetTodo(id: 1))
        let pipe = await server.nextExchange().respondStreaming(expectedLength: 6)
        let response = try await sent
        #expect(response.body.stream?.expectedLength == 6)
        var chunks = response.body.makeAsyncIterator()
        for text in ["one", "two"] {
            pipe.write(Data(text.utf8))
            #expect(try await chunks.next() == Data(text.utf8))
        }
        #expect(recorder.cassette.exchanges.isEmpty, "it is not at its end")
        pipe.finish()
        #expect(try await chunks.next() == nil)
        #expect(recorder.cassette.exchanges.map(\.response?.body) == [.text("onetwo")])
    }

    @Test func `a slow reader holds the transfer as it does without a recorder`() async throws {
        let demands = EventLog()
        let base = ScriptedTransport { request in
            let pipe = BodyPipe(highWaterMark: 4, onDemand: { demands.append("demand") })
            pipe.write(Data("12345678".utf8))
            pipe.finish()
            return NetworkResponse(status: 200, body: .stream(BodyStream(pipe)), request: request)
        }
        let recorder = RecordingTransport(around: base, to: folder.file("a.json"))
        let response = try await recorder.send(NetworkRequest(url: api))
        #expect(demands.lines.isEmpty, "nobody has read anything")
        #expect(try await response.body.collect() == Data("12345678".utf8))
        #expect(demands.lines == ["demand"])
    }

    @Test func `letting go of a stream ends the transfer, and what was read is recorded`() async throws {
        let recorder = recorder()
        let log = EventLog()
        let base = Network(baseURL: api, transport: recorder)
        do {
            async let sent = base.stream(GetTodo(id: 1))
            let pipe = await server.nextExchange().respondStreaming { log.append("cancelled") }
            let response = try await sent
            pipe.write(Data("one".utf8))
            var chunks = response.body.makeAsyncIterator()
            #expect(try await chunks.next() == Data("one".utf8))
        }
        #expect(log.lines.first == "cancelled")
        #expect(recorder.cassette.exchanges.map(\.failure) == ["truncated"])
        #expect(recorder.cassette.exchanges.map(\.response?.body) == [.text("one")])
    }

    @Test func `a failure is recorded by its code, in the head and in the body`() async throws {
        let recorder = recorder()
        async let first: NetworkResponse? = try? recorder.send(NetworkRequest(url: api))
        await server.nextExchange().fail(URLError(.cannotFindHost))
        #expect(await first == nil)

        async let second = recorder.send(NetworkRequest(url: api))
        let pipe = await server.nextExchange().respondStreaming()
        pipe.write(Data("one".utf8))
        pipe.finish(throwing: NetworkError(.connectionLost))
        let body = try await second.body
        await #expect(throws: NetworkError.self) { try await body.collect() }
        #expect(recorder.cassette.exchanges.map(\.failure) == ["host-not-found", "connection-lost"])
    }

    @Test func `an attempt that was cancelled is not recorded`() async {
        let recorder = recorder()
        let task = Task { try await recorder.send(NetworkRequest(url: api)) }
        _ = await server.nextExchange()
        task.cancel()
        _ = await task.result
        #expect(recorder.cassette.exchanges.isEmpty)
    }

    @Test func `requests stand in the order in which they were sent`() async throws {
        let recorder = recorder()
        let urls = ["https://api.test/1", "https://api.test/2"]
        async let first = recorder.send(NetworkRequest(url: URL(string: urls[0])!))
        let firstExchange = await server.nextExchange()
        async let second = recorder.send(NetworkRequest(url: URL(string: urls[1])!))
        await server.nextExchange().respond()
        _ = try await second
        firstExchange.respond()
        _ = try await first
        #expect(recorder.cassette.exchanges.map(\.request.url) == urls)
    }

    @Test func `of a body beyond the limit only its size is kept`() async throws {
        let recorder = recorder(bodyLimit: 5)
        for isStream in [false, true] {
            let request = NetworkRequest(method: .post, url: api, body: .text("123456"))
            async let response = Network(transport: recorder).stream(request)
            let exchange = await server.nextExchange()
            if isStream {
                let pipe = exchange.respondStreaming()
                for _ in 0..<3 { pipe.write(Data("1234".utf8)) }
                pipe.finish()
            } else {
                exchange.respond(body: "123412341234")
            }
            #expect(try await response.body.collect() == Data("123412341234".utf8))
        }
        #expect(recorder.cassette.exchanges.map(\.request.body) == [.omitted(size: 6), .omitted(size: 6)])
        #expect(recorder.cassette.exchanges.map(\.response?.body) == [.omitted(size: 12), .omitted(size: 12)])
    }

    @Test func `bodies that are made while they are sent are left alone`() async throws {
        let recorder = recorder()
        let stream = RequestBody.stream(length: 3) {
            AsyncStream {
                $0.yield(Data("one".utf8)); $0.finish()
            }
        }
        async let response = recorder.send(NetworkRequest(method: .post, url: api, body: stream))
        let exchange = await server.nextExchange()
        #expect(exchange.request.body.canBeSent)
        exchange.respond()
        _ = try await response
        #expect(recorder.cassette.exchanges.map(\.request.body) == [.omitted(size: 3)])
    }

    @Test func `a body is kept in the form that people read best`() async throws {
        let file = folder.file("upload")
        try Data("from a file".utf8).write(to: file)
        let bodies: [(RequestBody, CassetteBody)] = [
            (.none, .empty),
            (.json(["b": 1.5, "a": []]), .json(["b": 1.5, "a": []])),
            (.json(text: "[1,"), .text("[1,")),
            (.json(text: "[0.12345678901234567]"), .text("[0.12345678901234567]")),
            (.json(text: "[12345678901234567890123]"), .text("[12345678901234567890123]")),
            (.bytes(Data("{\"a\":1}".utf8)), .json(["a": 1])),
            (.text("hé"), .text("hé")),
            (.file(file), .text("from a file")),
            (
                .bytes(Data([0x89, 0x50, 0, 1, 2, 3]), contentType: "image/png"),
                .bytes(Data([0x89, 0x50, 0, 1, 2, 3]))
            ),
            (.bytes(Data([0x68, 0xE9]), contentType: "text/plain; charset=iso-8859-1"), .bytes(Data([0x68, 0xE9]))),
        ]
        let recorder = RecordingTransport(
            around: ScriptedTransport { NetworkResponse(status: 200, request: $0) },
            to: file
        )
        for (body, _) in bodies {
            _ = try await Network(transport: recorder).send(NetworkRequest(method: .post, url: api, body: body))
        }
        #expect(recorder.cassette.exchanges.map(\.request.body) == bodies.map(\.1))
    }

    @Test func `it can do what the other can, and shuts it down`() async {
        #expect(recorder().capabilities == server.capabilities)
        await recorder().shutdown()
        let error = await #expect(throws: NetworkError.self) { try await server.send(NetworkRequest(url: api)) }
        #expect(error?.code == .transportUnavailable)
    }

    #if canImport(Glibc)
        @Test func `a WebSocket is handed on, and not recorded`() async throws {
            let server = try LoopbackServer()
            server.handleWebSocket("/echo") { socket in
                while let message = try socket.receive() { try socket.send(message) }
            }
            let recorder = RecordingTransport(around: CurlTransport(), to: folder.file("a.json"))
            let socket = Network(baseURL: server.url, transport: recorder).webSocket(server.url("/echo"))
            try await socket.connect()
            try await socket.send("hello")
            for try await message in socket.messages {
                #expect(message == .text("hello"))
                break
            }
            await socket.close()
            #expect(recorder.cassette.exchanges.isEmpty)
        }
    #endif
}
