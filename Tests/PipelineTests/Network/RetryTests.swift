import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// F7: the end of loops. F8: retries that cannot be carried out.
@Suite(.timeLimit(.minutes(3)))
struct RetryTests {
    let monitor = RecordingMonitor()

    func configuration(_ change: (inout NetworkConfiguration) -> Void = { _ in }) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.monitors = [monitor]
        change(&configuration)
        return configuration
    }

    var refusals: [RetryRefusal] {
        monitor.events.compactMap { if case .retryRefused(_, let refusal) = $0.kind { refusal } else { nil } }
    }

    @Test func `an action that asks for retries for ever is refused after twenty`() async throws {
        let server = ScriptedTransport { .init(status: 503, body: .bytes(Data("down".utf8)), request: $0) }
        let network = Network(
            baseURL: api,
            actions: [HookAction.retrying { _, _ in true }],
            transport: server,
            configuration: configuration()
        )
        let error = await #expect(throws: NetworkError.self) { try await network.send(GetGreeting()) }

        #expect(server.requests.count == 21)
        #expect(error?.statusCode == 503)
        #expect(error?.payloadData == Data("down".utf8))
        #expect(error?.attempts == 21)
        #expect(error?.refusedRetry == .tooManyRetries(20))
        #expect(refusals == [.tooManyRetries(20)])
    }

    @Test func `the ceiling can be set`() async throws {
        let server = ScriptedTransport { .init(status: 503, request: $0) }
        let network = Network(
            baseURL: api,
            actions: [HookAction.retrying { _, _ in true }, HookAction.retrying { _, _ in true }],
            transport: server,
            configuration: configuration { $0.maximumRetries = 3 }
        )
        _ = await network.result(of: GetGreeting())

        #expect(server.requests.count == 4)
    }

    @Test func `a body that can be read once is not sent again, and the answer is handed up as it was`() async throws {
        let log = EventLog()
        let server = ScriptedTransport { request in
            _ = try request.body.makeChunks()
            return .init(status: 503, body: .bytes(Data("down".utf8)), request: request)
        }
        let network = Network(
            baseURL: api,
            actions: [RecordingAction("out", log: log), HookAction.retrying { outcome, _ in outcome.status == 503 }],
            transport: server,
            configuration: configuration()
        )
        let body = RequestBody.stream { OneChunk("once") }
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(NetworkRequest(method: .put, url: api, body: body))
        }

        #expect(server.requests.count == 1)
        #expect(log.lines.last == "out completed 503")
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.payloadData == Data("down".utf8))
        #expect(error?.refusedRetry == .bodyNotReplayable)
        #expect(error?.description.contains("read once only") == true)
    }

    @Test func `a body that nobody began to read can still be sent`() async throws {
        let server = ScriptedTransport([.failure(NetworkError(.connectionRefused, reach: .no)), .status(200)])
        let network = Network(
            baseURL: api,
            actions: [HookAction.retrying { outcome, _ in outcome.status == nil }],
            transport: server
        )
        let response = try await network.send(
            NetworkRequest(method: .put, url: api, body: .stream { OneChunk("once") })
        )

        #expect(response.status == 200)
    }

    @Test func `a pause that would outlast the deadline is refused at once`() async throws {
        let clock = ManualClock()
        let server = ScriptedTransport { .init(status: 503, request: $0) }
        let network = Network(
            baseURL: api,
            actions: [HookAction.retrying(after: .seconds(60)) { _, _ in true }],
            transport: server,
            configuration: configuration {
                $0.time = clock
                $0.timeLimits.total = .seconds(10)
            }
        )
        let error = await #expect(throws: NetworkError.self) { try await network.send(GetGreeting()) }

        #expect(error?.statusCode == 503)
        #expect(error?.refusedRetry == .pauseOutlastsDeadline(pause: .seconds(60), left: .seconds(10)))
        #expect(server.requests.count == 1)
    }

    @Test func `a refused action is not asked again, and those further out may retry still`() async throws {
        let asked = EventLog()
        let inner = HookAction(completed: { _, _ in
            asked.append("inner")
            return .retry(after: .seconds(60))
        })
        let outer = HookAction.retrying { outcome, request in outcome.status == 503 && request.pass == 1 }
        let server = ScriptedTransport { .init(status: 503, request: $0) }
        let network = Network(
            baseURL: api,
            actions: [outer, inner],
            transport: server,
            configuration: configuration {
                $0.time = ManualClock()
                $0.timeLimits.total = .seconds(10)
            }
        )
        _ = await network.result(of: GetGreeting())

        #expect(server.requests.count == 2)
        #expect(asked.lines == ["inner", "inner"])
    }

    @Test func `the identity is the same for the whole send, attempts are counted from one`() async throws {
        let seen = EventLog()
        let server = ScriptedTransport { request in
            seen.append("\(request.context.id) \(request.context.attempt)")
            return .init(status: request.context.attempt < 3 ? 503 : 200, request: request)
        }
        let network = Network(
            baseURL: api,
            actions: [HookAction.retrying { outcome, _ in outcome.status == 503 }],
            transport: server
        )
        let reply = try await network.reply(to: GetGreeting())

        #expect(seen.lines == (1...3).map { "\(reply.id) \($0)" })
        #expect(reply.attempts == 3)
    }

    @Test func `waits on the clock before a retry`() async throws {
        let clock = ManualClock()
        let server = ConversationTransport()
        let network = Network(
            baseURL: api,
            actions: [HookAction.retrying(after: .seconds(2)) { outcome, _ in outcome.status == 503 }],
            transport: server,
            configuration: configuration { $0.time = clock }
        )
        async let greeting = network.send(GetGreeting())

        await server.nextExchange().respond(status: 503)
        #expect(await clock.nextPauseWithPurpose().purpose == .retry)
        #expect(network.inFlight.map(\.phase) == [.pausing])
        clock.advance(by: .seconds(2))
        await server.nextExchange().respond(body: "hello")

        #expect(try await greeting == "hello")
    }
}

/// A sequence of one chunk.
struct OneChunk: AsyncSequence, Sendable {
    typealias Element = Data
    let text: String

    init(_ text: String) { self.text = text }

    func makeAsyncIterator() -> AsyncStream<Data>.Iterator {
        AsyncStream { continuation in
            continuation.yield(Data(text.utf8))
            continuation.finish()
        }.makeAsyncIterator()
    }
}
