import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// F17: streams end once. F15: what is not delivered is discarded. B15: reading never consumes twice.
@Suite(.timeLimit(.minutes(3)))
struct BodyStreamTests {
    let server = ConversationTransport()

    func network(_ actions: [any Action] = []) -> Network {
        Network(baseURL: api, actions: actions, transport: server)
    }

    let streamed = NetworkRequest(url: api, delivery: .stream)

    @Test func `returns at the head, and the chunks come as they are written`() async throws {
        async let sent = network().send(streamed)
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        var chunks = response.body.makeAsyncIterator()

        for text in ["one", "two"] {
            pipe.write(Data(text.utf8))
            #expect(try await chunks.next() == Data(text.utf8))
        }
        pipe.finish()
        #expect(try await chunks.next() == nil)
    }

    @Test func `the send is under way until the stream ends, and its end is told once`() async throws {
        let network = network()
        async let sent = network.send(streamed)
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        let ends = EventLog()
        let ended = OneShot<Void>()
        response.body.stream?.onEnd { end in
            ends.append("\(end)")
            ended.resolve(())
        }
        #expect(network.inFlight.map(\.phase) == [.streaming])

        pipe.write(Data("all".utf8))
        pipe.finish()
        #expect(try await response.body.collect() == Data("all".utf8))
        await ended.valueOrCancellation()
        network.cancelAll()

        #expect(ends.lines == ["finished"])
        #expect(network.inFlight.isEmpty)
        let late = OneShot<Void>()
        response.body.stream?.onEnd { _ in late.resolve(()) }
        await late.valueOrCancellation()
    }

    @Test func `a second reader gets an error, never an empty success`() async throws {
        async let sent = network().send(streamed)
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        pipe.finish()
        #expect(try await response.body.collect() == Data())

        let error = await #expect(throws: NetworkError.self) { try await response.body.collect() }
        #expect(error?.code == .bodyAlreadyRead)
    }

    @Test func `a peek leaves the stream whole`() async throws {
        async let sent = network().send(streamed)
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        for text in ["event", ": one\n", "rest"] { pipe.write(Data(text.utf8)) }
        pipe.finish()

        #expect(try await response.body.stream?.peek(upTo: 7) == Data("event: ".utf8))
        #expect(try await response.body.stream?.peek(upTo: 2) == Data("ev".utf8))
        #expect(try await response.body.stream?.peek(upTo: 1000) == Data("event: one\nrest".utf8))
        #expect(try await response.body.collect() == Data("event: one\nrest".utf8))
    }

    @Test func `letting go of the reader ends the transfer`() async throws {
        let network = network()
        let stopped = OneShot<Void>()
        async let sent = network.send(streamed)
        let pipe = await server.nextExchange().respondStreaming { stopped.resolve(()) }
        let response = try await sent
        let ends = EventLog()
        response.body.stream?.onEnd { ends.append("\($0)") }
        pipe.write(Data("first".utf8))
        for try await _ in response.body { break }
        await stopped.valueOrCancellation()

        #expect(ends.lines == ["abandoned"])
        #expect(network.inFlight.isEmpty)
    }

    @Test func `letting go of an unread response ends the transfer`() async throws {
        let stopped = OneShot<Void>()
        let network = network()
        async let sent = network.send(streamed).status
        _ = await server.nextExchange().respondStreaming { stopped.resolve(()) }

        #expect(try await sent == 200)
        await stopped.valueOrCancellation()
    }

    @Test func `cancelling the send ends its stream with a cancelled error`() async throws {
        let network = network()
        async let sent = network.send(streamed)
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        pipe.write(Data("first".utf8))
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
        network.cancelAll()

        let error = await #expect(throws: NetworkError.self) { _ = try await chunks.next() }
        #expect(error?.code == .cancelled)
        #expect(network.inFlight.isEmpty)
    }

    @Test func `cancelling the reading task ends the stream`() async throws {
        async let sent = network().send(streamed)
        let stopped = OneShot<Void>()
        _ = await server.nextExchange().respondStreaming { stopped.resolve(()) }
        let response = try await sent
        let reader = Task { try await response.body.collect() }
        reader.cancel()
        await stopped.valueOrCancellation()

        let error = await #expect(throws: NetworkError.self) { try await reader.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `what breaks the body off is an error of this send`() async throws {
        async let sent = network().send(streamed)
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        pipe.write(Data("hel".utf8))
        pipe.finish(throwing: NetworkError(.truncated, "3 of 5 bytes arrived"))

        let error = await #expect(throws: NetworkError.self) { try await response.body.collect() }
        #expect(
            error?.description == "truncated in body for GET https://api.test: 3 of 5 bytes arrived"
        )
    }

    @Test func `a body in memory can be read as often as wanted`() async throws {
        let body = ResponseBody.bytes(Data("memory".utf8))
        for _ in 0..<2 {
            var text = ""
            for try await chunk in body { text += String(decoding: chunk, as: UTF8.self) }
            #expect(text == "memory")
        }
    }

    @Test func `a response with a status that is not accepted is gathered, so that its error is whole`() async throws {
        let network = network()
        async let result = network.result(of: streamed)
        let pipe = await server.nextExchange().respondStreaming(status: 500)
        pipe.write(Data("went ".utf8))
        pipe.write(Data("wrong".utf8))
        pipe.finish()

        guard case .failure(let error) = await result else { Issue.record("it succeeded"); return }
        #expect(error.payloadData == Data("went wrong".utf8))
    }

    @Test(arguments: [(nil, false), (10, false), (1_000_000, true)] as [(Int?, Bool)])
    func `a streamed response that is retried is drained if it is short, else cut off`(
        length: Int?,
        isCutOff: Bool
    ) async throws {
        let retrying = HookAction(completed: { outcome, request in
            request.pass == 1 ? .retry(after: .zero) : .deliver(try outcome.get())
        })
        async let sent = network([retrying]).send(streamed)
        let released = OneShot<Void>()
        let wasCutOff = Locked(false)
        let first = await server.nextExchange().respondStreaming(expectedLength: length) {
            wasCutOff.withLock { $0 = true }
            released.resolve(())
        }
        let second = await server.nextExchange()
        if isCutOff {
            await released.valueOrCancellation()
        } else {
            first.write(Data("leftover".utf8))
            first.finish()
        }
        second.respond(body: "hello")

        #expect(try await sent.body.collect() == Data("hello".utf8))
        #expect(wasCutOff.withLock { $0 } == isCutOff)
    }

    @Test func `a body larger than allowed is an error and stops the transfer`() async throws {
        async let result = network().result(of: GetGreeting { $0.maximumResponseSize = 4 })
        let stopped = OneShot<Void>()
        let pipe = await server.nextExchange().respondStreaming { stopped.resolve(()) }
        pipe.write(Data("hello".utf8))
        await stopped.valueOrCancellation()

        guard case .failure(let error) = await result else { Issue.record("it succeeded"); return }
        #expect(error.code == .responseTooLarge)
        #expect(error.statusCode == 200)
    }

    @Test func `a slow reader holds the transport up`() async throws {
        let resumed = OneShot<Void>()
        let pipe = BodyPipe(highWaterMark: 8, onDemand: { resumed.resolve(()) })
        #expect(pipe.write(Data("1234".utf8)))
        #expect(!pipe.write(Data("5678".utf8)))
        #expect(!pipe.write(Data("9".utf8)))
        #expect(try await pipe.next() == Data("1234".utf8))
        #expect(try await pipe.next() == Data("5678".utf8))
        await resumed.valueOrCancellation()
    }
}

/// Bodies that go to files.
@Suite(.timeLimit(.minutes(3)))
struct FileDeliveryTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func `appears when it is whole, replaces what was there, and only its owner can read it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("report")
        try Data("old".utf8).write(to: file)
        let server = ConversationTransport()
        async let sent = Network(transport: server).send(NetworkRequest(url: api, delivery: .file(file)))
        let pipe = await server.nextExchange().respondStreaming()
        pipe.write(Data("new ".utf8))
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        pipe.write(Data("report".utf8))
        pipe.finish()
        let response = try await sent

        #expect(response.body.file == file)
        #expect(try Data(contentsOf: file) == Data("new report".utf8))
        let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report"])
    }

    @Test func `nothing stays behind when the body breaks off, and an error page does not replace the file`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("report")
        try Data("old".utf8).write(to: file)
        let server = ConversationTransport()
        let network = Network(transport: server)
        async let broken = network.result(of: NetworkRequest(url: api, delivery: .file(file)))
        let pipe = await server.nextExchange().respondStreaming()
        pipe.write(Data("new".utf8))
        pipe.finish(throwing: NetworkError(.connectionLost))
        #expect(await broken.code == .connectionLost)
        async let refused = network.result(of: NetworkRequest(url: api, delivery: .file(file)))
        await server.nextExchange().respond(status: 404, body: "not here")
        #expect(await refused.code == .unacceptableStatus)

        #expect(try Data(contentsOf: file) == Data("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report"])
    }

    @Test func `what is no file is not replaced`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for (target, kind) in [(folder, FileAttributeType.typeDirectory), (pipe, .typeUnknown)] {
            let network = Network(transport: ScriptedTransport([.status(200, body: "x")]))
            let result = await network.result(of: NetworkRequest(url: api, delivery: .file(target)))

            #expect(result.code == .fileFailed)
            let left = try FileManager.default.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
            #expect(left == kind)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
    }

    @Test func `a file that cannot be written is an error of its own`() async throws {
        let file = folder.appendingPathComponent("missing/report")
        let network = Network(transport: ScriptedTransport([.status(200, body: "x")]))
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(NetworkRequest(url: api, delivery: .file(file)))
        }
        try? FileManager.default.removeItem(at: folder)

        #expect(error?.code == .fileFailed)
    }
}
