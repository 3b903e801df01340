import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// `network.stream`: the head at once, then the body. F17: it ends once; every failure is a `NetworkError`.
@Suite(.timeLimit(.minutes(3)))
struct StreamTests {
    let server = ConversationTransport()

    /// Sends a request and answers with a head.
    func open(
        _ network: Network? = nil,
        headers: HTTPHeaders = [:],
        onCancel: @escaping @Sendable () -> Void = {}
    ) async throws -> (response: NetworkResponse, pipe: BodyPipe) {
        let network = network ?? Network(baseURL: api, transport: server)
        async let sent = network.stream(GetGreeting())
        let pipe = await server.nextExchange().respondStreaming(headers: headers, onCancel: onCancel)
        return (try await sent, pipe)
    }

    func error(_ code: String, of read: () async throws -> Void) async -> NetworkError? {
        let error = await #expect(throws: NetworkError.self) { try await read() }
        #expect(error?.code.rawValue == code)
        return error
    }

    @Test func `a typed request is sent with all it brings, and its head comes before its body`() async throws {
        struct Ask: Request {
            typealias Response = User
            var customProperties: CustomProperties { ["mark": 7] }
            let actions: [any Action]
            func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
        }
        let log = EventLog()
        let network = Network(baseURL: api, transport: server)
        async let sent = network.stream(Ask(actions: [RecordingAction("own", log: log)]))
        let exchange = await server.nextExchange()
        #expect(exchange.request.customProperties["mark"] as? Int == 7)
        #expect(exchange.request.context.requestType is Ask.Type)
        let pipe = exchange.respondStreaming(status: 201, headers: ["X-A": "1"])
        let response = try await sent

        #expect(response.status == 201)
        #expect(response.headers["X-A"] == "1")
        #expect(log.lines == ["own will begin", "own began", "own response began", "own completed 201"])
        var chunks = response.body.makeAsyncIterator()
        for text in ["one", "two"] {
            pipe.write(Data(text))
            #expect(try await chunks.next() == Data(text))
        }
        pipe.finish()
        #expect(try await chunks.next() == nil)
        #expect(network.inFlight.isEmpty)
    }

    @Test func `a status that is not accepted is an error with its body`() async throws {
        let sent = Task { try await Network(baseURL: api, transport: server).stream(GetGreeting()) }
        let pipe = await server.nextExchange().respondStreaming(status: 503)
        pipe.write(Data("down"))
        pipe.finish()
        let error = await #expect(throws: NetworkError.self) { try await sent.value }

        #expect(error?.code == .unacceptableStatus)
        #expect(error?.payloadData == Data("down"))
    }

    @Test func `lines come while the body arrives, and are cut anywhere`() async throws {
        let (response, pipe) = try await open()
        var lines = response.lines().makeAsyncIterator()

        pipe.write(Data("on"))
        pipe.write(Data("e\r"))
        #expect(try await lines.next() == "one")
        pipe.write(Data("\n\n") + Data("€").prefix(1))
        #expect(try await lines.next() == "")
        pipe.write(Data("€").dropFirst())
        pipe.finish()
        #expect(try await lines.next() == "€")
        #expect(try await lines.next() == nil)
        #expect(try await lines.next() == nil)
    }

    @Test(arguments: [
        ("text/plain", "caf\u{FFFD}"), ("text/plain; charset=iso-8859-1", "café"),
        ("text/plain; charset=nonsense", "caf\u{FFFD}"),
        ("text/plain; charset=utf-16", "caf\u{FFFD}"),
    ])
    func `lines are read in the charset of the body`(type: String, expected: String) async throws {
        let (response, pipe) = try await open(headers: [.contentType: type])
        pipe.write(Data([0x63, 0x61, 0x66, 0xE9, 0x0A]))
        pipe.finish()

        #expect(try await response.lines().reduce(into: []) { $0.append($1) } == [expected])
    }

    @Test func `a line that is too long ends the body`() async throws {
        let cancelled = OneShot<Void>()
        let (response, pipe) = try await open { cancelled.resolve(()) }
        var lines = response.lines(upTo: 4).makeAsyncIterator()
        pipe.write(Data("1234\n12345"))

        #expect(try await lines.next() == "1234")
        let error = await error("line-too-long") { _ = try await lines.next() }
        #expect(
            error?.description == """
                line-too-long in body for GET https://api.test/greeting: status 200, line 2 is longer than 4 bytes
                """
        )
        await cancelled.valueOrCancellation()
        #expect(try await lines.next() == nil)
    }

    @Test func `JSON Lines are values, and blank lines are none`() async throws {
        let (response, pipe) = try await open()
        var users = response.jsonLines(of: User.self).makeAsyncIterator()

        pipe.write(Data("\u{FEFF}{\"name\":\"Ada\"}\r\n\n \t\n"))
        #expect(try await users.next() == User(name: "Ada"))
        pipe.write(Data("{\"name\":\"Bob\"}"))
        pipe.finish()
        #expect(try await users.next() == User(name: "Bob"))
        #expect(try await users.next() == nil)
    }

    @Test func `a line that is no value ends the body with an error that names it, without its secrets`() async throws {
        let monitor = RecordingMonitor()
        let (response, pipe) = try await open(
            Network(baseURL: api, transport: server, configuration: .init(time: ManualClock(), monitors: [monitor]))
        )
        pipe.write(Data("{\"name\":\"Ada\"}\n\n{\"name\":7,\"token\":\"canary\"}\n{\"name\":\"Bob\"}\n"))
        var users = response.jsonLines(of: User.self).makeAsyncIterator()

        #expect(try await users.next() == User(name: "Ada"))
        let error = await error("decoding-failed") { _ = try await users.next() }
        #expect(
            error?.description == """
                decoding-failed in decode for GET https://api.test/greeting: status 200, line 3 is not a User, \
                not a String at name; it begins {"name":7,"token":<redacted>} (DecodingError)
                """
        )
        #expect(try await users.next() == nil)
        guard case .streamEnded(.failed(let told)) = monitor.events.last?.kind else {
            Issue.record("the monitors were not told")
            return
        }
        #expect(told.code == .decodingFailed)
    }

    @Test func `the decoder is the one given, or that of the request`() async throws {
        struct Stamp: Decodable { var at: Date }
        struct Ask: Request {
            typealias Response = Void
            func buildRequest(with baseURL: URL) -> NetworkRequest {
                var request = NetworkRequest(url: baseURL)
                request.decoder = JSONBodyDecoder { $0.dateDecodingStrategy = .secondsSince1970 }
                return request
            }
        }
        for (decoder, expected) in [
            (nil, Date(timeIntervalSince1970: 0)), (JSONBodyDecoder(), Date(timeIntervalSinceReferenceDate: 0)),
        ] {
            async let sent = Network(baseURL: api, transport: server).stream(Ask())
            let pipe = await server.nextExchange().respondStreaming()
            pipe.write(Data("{\"at\":0}"))
            pipe.finish()
            var stamps = try await sent.jsonLines(of: Stamp.self, decoder: decoder).makeAsyncIterator()
            #expect(try await stamps.next()?.at == expected)
        }
    }

    enum End: CaseIterable { case readerLetGo, cancelledTask, cancelAll, cancelled, brokenOff, readTwice }

    @Test(arguments: End.allCases)
    func `every end but the good one is an error, or silence if nobody is left to hear it`(end: End) async throws {
        let network = Network(baseURL: api, transport: server)
        let ended = OneShot<Void>()
        let (response, pipe) = try await open(network) { ended.resolve(()) }
        response.body.stream?.onEnd { _ in ended.resolve(()) }
        pipe.write(Data("one\n"))

        switch end {
        case .readerLetGo:
            for try await line in response.lines() {
                #expect(line == "one")
                break
            }
        case .cancelledTask:
            let task = Task { try await response.lines().reduce(0) { count, _ in count + 1 } }
            task.cancel()
            _ = await error("cancelled") { _ = try await task.value }
        case .cancelAll, .cancelled, .brokenOff:
            var lines = response.lines().makeAsyncIterator()
            #expect(try await lines.next() == "one")
            let code =
                switch end {
                case .brokenOff: "truncated"
                default: "cancelled"
                }
            switch end {
            case .brokenOff: pipe.finish(throwing: NetworkError(.truncated))
            case .cancelAll: network.cancelAll()
            default: response.body.stream?.cancel()
            }
            let error = await error(code) { _ = try await lines.next() }
            #expect(error?.request?.description == "GET https://api.test/greeting")
        case .readTwice:
            pipe.finish()
            #expect(try await response.lines().reduce(into: []) { $0.append($1) } == ["one"])
            _ = await error("body-already-read") {
                _ = try await response.lines().reduce(0) { count, _ in count + 1 }
            }
        }
        await ended.valueOrCancellation()
        #expect(network.inFlight.isEmpty)
    }

    @Test func `an answer from memory is read in lines as well`() async throws {
        let network = Network(baseURL: api, transport: ScriptedTransport([.status(200, body: "1\n2")]))

        let numbers = try await network.stream(GetGreeting()).jsonLines(of: Int.self)
        #expect(try await numbers.reduce(into: []) { $0.append($1) } == [1, 2])
    }
}
