import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct SigningActionTests {
    let api = URL(string: "https://api.test/a")!
    let clock = ManualClock()
    let log = EventLog()

    func network(_ transport: any Transport, _ actions: [any Action]) -> Network {
        Network(
            baseURL: api,
            actions: actions,
            transport: transport,
            configuration: .init(time: clock, monitors: [MisuseMonitor(log: log)])
        )
    }

    /// Signs the request line, what the other actions have added, the body and the time.
    func signing(_ log: EventLog = EventLog()) -> SigningAction {
        SigningAction { message in
            var request = message.request
            let time = Int(message.date.timeIntervalSinceReferenceDate)
            let digest = try await message.bodyDigest(.sha256).prefix(3).map { String($0, radix: 16) }.joined()
            let text = "\(request.url.path) \(request.headers["X-Pass"] ?? "-") \(digest) \(time)"
            log.append(text)
            request.headers.setSensitive(text, for: "Signature")
            return request
        }
    }

    @Test func `signs each attempt and each hop anew, innermost`() async throws {
        let server = ConversationTransport()
        let network = network(server, [RetryLater(), PassAction(), signing()])
        async let response = network.send(NetworkRequest(method: .post, url: api, body: .bytes(Data("abc".utf8))))
        let first = await server.nextExchange()
        first.respond(status: 503)
        clock.advance(by: await clock.nextPause())
        let second = await server.nextExchange()
        second.respond(status: 307, headers: [.location: "/b"])
        let third = await server.nextExchange()
        third.respond()
        _ = try await response

        // SHA-256 of "abc" begins ba 78 16.
        #expect(
            [first, second, third].map { $0.request.headers["Signature"] }
                == ["/a 1 ba7816 0", "/a 2 ba7816 2", "/b 3 ba7816 2"]
        )
        #expect(log.lines.isEmpty)
    }

    @Test func `the hook sees the final request, and what it returns is what is sent`() async throws {
        let seen = EventLog()
        let server = ScriptedTransport([.status(200)])
        let action = SigningAction { message in
            seen.append(message.request.headers.map(\.name.spelling).joined(separator: " "))
            seen.append(message.bodyData.map { String(decoding: $0, as: UTF8.self) } ?? "none")
            var request = message.request
            request.url = request.url.appending(query: ["signature": "x"])
            return request
        }
        let actions: [any Action] = [
            DefaultHeadersAction(["X-Default": 1]), .apiKey("k", in: .header("X-Key")), action,
        ]
        _ = try await network(server, actions).send(NetworkRequest(method: .put, url: api, body: .text("hello")))

        #expect(seen.lines == ["Content-Type X-Default X-Key", "hello"])
        #expect(server.requests.first?.url.query() == "signature=x")
    }

    // MARK: Bodies

    @Test func `bodies of every kind can be hashed, and are sent whole afterwards`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("abc".utf8), as: "body")
        let stream = RequestBody.stream(isReplayable: true) { Self.chunks("a", "bc") }
        for body in [RequestBody.bytes(Data("abc".utf8)), .file(file), stream] {
            let server = ScriptedTransport([.status(200)])
            _ = try await network(server, [signing()]).send(NetworkRequest(method: .post, url: api, body: body))
            let request = try #require(server.requests.first)
            #expect(request.headers["Signature"] == "/a - ba7816 0")
            var sent = Data()
            for try await chunk in try request.body.makeChunks() { sent.append(chunk) }
            #expect(sent == Data("abc".utf8))
        }
    }

    @Test func `no body is hashed as an empty one`() async throws {
        let digest = try await SignableRequest(NetworkRequest(url: api)).bodyDigest(.sha256)
        #expect(digest.prefix(3) == Data([0xE3, 0xB0, 0xC4]))
        #expect(SignableRequest(NetworkRequest(url: api)).bodyData == Data())
    }

    @Test func `a body that can be read once only is an error to hash, and stays unread`() async throws {
        let body = RequestBody.stream { Self.chunks("a") }
        let server = ScriptedTransport([.status(200)])
        let request = NetworkRequest(method: .post, url: api, body: body)
        let error = await #expect(throws: NetworkError.self) { try await network(server, [signing()]).send(request) }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.step == .action("SigningAction"))
        #expect(server.requests.isEmpty)
        #expect(body.canBeSent)
        #expect(SignableRequest(request).bodyData == nil)
    }

    static func chunks(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    // MARK: The wrong place

    @Test func `a signature that a retry further in uses again is a misuse`() async throws {
        let server = ConversationTransport()
        async let response = network(server, [signing(), RetryLater()]).send(NetworkRequest(url: api))
        await server.nextExchange().respond(status: 503)
        clock.advance(by: await clock.nextPause())
        await server.nextExchange().respond()
        _ = try await response
        #expect(
            log.lines == [
                "signed one attempt, and an action further in made another of it; it belongs after what retries"
            ]
        )
    }

    @Test func `a request that is changed after it was signed is a misuse`() async throws {
        let server = ScriptedTransport([.status(200)])
        _ = try await network(server, [signing(), ChangePath()]).send(NetworkRequest(url: api))
        #expect(log.lines == ["signed what an action further in has changed; it belongs after it"])
    }

    @Test func `what is added after signing, or signed by two, is none`() async throws {
        let server = ScriptedTransport([.status(200)])
        let second = SigningAction { message in
            var request = message.request
            request.headers["Second"] = "x"
            return request
        }
        _ = try await network(server, [signing(), second, PassAction()]).send(NetworkRequest(url: api))
        #expect(log.lines.isEmpty)
        #expect(server.requests.first?.headers.map(\.name.spelling) == ["Signature", "Second", "X-Pass"])
    }

    @Test func `what the hook throws ends the send and names the action`() async throws {
        struct NoKey: Error {}
        let server = ScriptedTransport([])
        let error = await #expect(throws: NetworkError.self) {
            try await network(server, [SigningAction { _ in throw NoKey() }]).send(NetworkRequest(url: api))
        }
        #expect(error?.code == .actionFailed)
        #expect(error?.underlying is NoKey)
    }
}

/// Asks for one retry in two seconds.
private struct RetryLater: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 && request.pass == 1 ? .retry(after: .seconds(2)) : .deliver(response)
    }
}

/// Says which attempt it is.
private struct PassAction: RequestWillBeginAction {
    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        request.headers["X-Pass"] = "\(request.context.attempt + 1)"
        return .proceed(request)
    }
}

private struct ChangePath: RequestWillBeginAction {
    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        request.url = URL(string: "https://api.test/changed")!
        return .proceed(request)
    }
}

private struct MisuseMonitor: EventMonitor {
    let log: EventLog

    func record(_ event: SendEvent) {
        if case .misuse(_, let text) = event.kind { log.append(text) }
    }
}
