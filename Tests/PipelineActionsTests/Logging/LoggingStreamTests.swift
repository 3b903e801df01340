import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

/// What a log must not do to bodies and to sends (B15, B37), over real sockets.
@Suite(.timeLimit(.minutes(3)))
struct LoggingStreamTests {
    let log = EventLog()

    func action(_ level: LoggingAction.Level = .verbose, zone: ActionZone = .send) -> LoggingAction {
        let sink = ClosureSink(format: LineFormat.plain) { [log] in log.append($0) }
        return LoggingAction(level, logger: Logger(sinks: [sink]), zone: zone)
    }

    @Test(arguments: [ActionZone.send, .hop], TransportKind.allCases)
    func `an event arrives before the next is sent`(zone: ActionZone, kind: TransportKind) async throws {
        let server = try LoopbackServer()
        let gate = LoopbackGate()
        server.handle("GET", "/events") { _ in
            [
                .head(200, headers: ["Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"]),
                .chunk("data: first\n\n"), .wait(gate), .chunk("data: last\n\n"), .lastChunk,
            ]
        }
        let action = action(zone: zone)
        let network = Network(actions: [action], transport: kind.transport)
        let response = try await network.send(NetworkRequest(url: server.url("/events"), delivery: .stream))
        var events = response.body.makeAsyncIterator()
        #expect(try await events.next() == Data("data: first\n\n".utf8))
        gate.open()
        #expect(try await events.next() == Data("data: last\n\n".utf8))
        #expect(try await events.next() == nil)

        await action.logger.flush()
        let ends = log.lines.suffix(2)
        #expect(ends.first?.contains("200 OK") == true && ends.first?.contains("streaming") == true)
        #expect(ends.first?.hasSuffix("\n    <a stream, text/event-stream>") == true)
        #expect(ends.last?.contains("stream finished") == true)
        // A session does not tell of its own accord how much of a stream came.
        #expect(ends.last?.hasSuffix("25 bytes") == true || kind == .urlSession)
    }

    @Test(arguments: TransportKind.allCases)
    func `every byte of a chunked body reaches the decoder`(kind: TransportKind) async throws {
        let server = try LoopbackServer()
        let chunks = (0..<10).map { String(repeating: "\($0)", count: 1_000) }
        server.handle("GET", "/stream") { _ in
            .chunked(["\""] + chunks + ["\""], headers: ["Content-Type": "application/json"])
        }
        struct Stream: Request {
            typealias Response = [String]

            let url: URL

            func buildRequest(with baseURL: URL) throws -> NetworkRequest {
                NetworkRequest(url: url, delivery: .stream)
            }

            func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
                NetworkRequest(url: url, delivery: .stream)
            }

            func response(from response: NetworkResponse) async throws -> [String] {
                [try JSONDecoder().decode(String.self, from: await response.body.collect())]
            }
        }
        let network = Network(actions: [action(), action(zone: .hop)], transport: kind.transport)
        #expect(try await network.send(Stream(url: server.url("/stream"))) == [chunks.joined()])
    }

    @Test(arguments: TransportKind.allCases)
    func `a stream that breaks off is a failure`(kind: TransportKind) async throws {
        let server = try LoopbackServer()
        server.handle("GET", "/cut") { _ in [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .close] }
        let action = action(.error)
        let network = Network(actions: [action], transport: kind.transport)
        let response = try await network.send(NetworkRequest(url: server.url("/cut"), delivery: .stream))
        await #expect(throws: NetworkError.self) { try await response.body.collect() }
        await action.logger.flush()
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.contains("/cut stream failed, truncated") == true)
    }

    @Test func `a stuck sink holds up no send`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let logger = Logger(sinks: [ClosureSink { _ in gate.wait() }], maximumWaiting: 10)
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let network = Network(actions: [LoggingAction(logger: logger)], transport: server)
        for _ in 0..<100 { _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test")!)) }
        #expect(logger.losses.dropped == 90)
        for _ in 0..<12 { gate.signal() }  // Ten entries, the notice, and one for good measure.
        await logger.flush()
    }

    @Test func `a failing sink fails no send`() async throws {
        let logger = Logger(sinks: [ClosureSink { _ in throw NetworkError(.fileFailed) }])
        let network = Network(
            actions: [LoggingAction(.verbose, logger: logger)],
            transport: ScriptedTransport([.status(200)])
        )
        _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test")!))
        await logger.flush()
        #expect(logger.losses.failed == 2)
    }

    /// Says when the memory of a body is given back.
    private func body(_ count: Int, _ text: UInt8, released: OneShot<Void>) -> Data {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
        memory.initializeMemory(as: UInt8.self, repeating: text, count: count)
        return Data(
            bytesNoCopy: memory,
            count: count,
            deallocator: .custom { memory, _ in
                memory.deallocate()
                released.resolve(())
            }
        )
    }

    @Test(arguments: ["text/plain", "video/mp4", "application/json"])
    func `of a large body a little is kept, and its memory is given back while entries wait`(type: String) async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let sink = ClosureSink { [log] entry in
            gate.wait()
            gate.signal()
            log.append(JSONLinesFormat().text(for: entry))
        }
        let logger = Logger(sinks: [sink])
        let sent = OneShot<Void>()
        let received = OneShot<Void>()
        do {
            let server = ScriptedTransport([
                ScriptedTransport.Answer { request in
                    NetworkResponse(
                        status: 200,
                        headers: [.contentType: type],
                        body: .bytes(body(64_000_000, UInt8(ascii: "y"), released: received)),
                        request: request
                    )
                }
            ])
            let network = Network(actions: [LoggingAction(.verbose, logger: logger)], transport: server)
            let request = NetworkRequest(
                method: .post,
                url: URL(string: "https://api.test")!,
                body: .bytes(body(64_000_000, UInt8(ascii: "x"), released: sent), contentType: type)
            )
            _ = try await network.send(request)
        }
        await sent.value()
        await received.value()
        gate.signal()
        await logger.flush()
        #expect(log.lines.count == 2)
        for line in log.lines {
            #expect(line.utf8.count < 20_000)
            #expect(line.contains("64000000 bytes"))
            #expect(line.contains("xxxx") == (type != "video/mp4") || line.contains("yyyy"))
        }
    }
}
