import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Events over as many connections as it takes. The test is the server, and it is time.
@Suite(.timeLimit(.minutes(3)))
struct ServerSentEventsTests {
    let server = ConversationTransport()
    let clock = ManualClock()

    static let steady: ReconnectionPolicy = {
        var policy = ReconnectionPolicy()
        policy.jitter = 0
        return policy
    }()

    func network(_ actions: [any Action] = []) -> Network {
        Network(baseURL: api, actions: actions, transport: server, configuration: .init(time: clock))
    }

    /// Reads events in a task, and hands each to the test.
    func read(
        _ request: some Request = GetGreeting(),
        after lastEventID: String = "",
        _ policy: ReconnectionPolicy = steady,
        on network: Network? = nil
    ) -> (events: AsyncStream<ServerSentEvent>, end: Task<Void, any Error>) {
        let events = (network ?? self.network()).events(
            of: request,
            lastEventID: lastEventID,
            reconnection: policy,
            upTo: 64
        )
        let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
        let end = Task {
            defer { continuation.finish() }
            for try await event in events { continuation.yield(event) }
        }
        return (stream, end)
    }

    static let head: HTTPHeaders = [.contentType: "Text/Event-Stream; charset=utf-8"]

    @Test func `asks for events, and hands each over when it is whole`() async throws {
        let reading = read()
        var events = reading.events.makeAsyncIterator()
        let exchange = await server.nextExchange()
        #expect(exchange.request.headers[.accept] == "text/event-stream")
        #expect(exchange.request.headers[.cacheControl] == "no-cache")
        #expect(!exchange.request.headers.contains(.lastEventID))
        #expect(exchange.request.timeLimits.total == .unlimited)
        let pipe = exchange.respondStreaming(headers: Self.head)

        pipe.write(Data("data: a\n\nevent: add\ndata: b"))
        #expect(await events.next() == .init(data: "a"))
        pipe.write(Data("\r\n\r"))
        #expect(await events.next() == .init(type: "add", data: "b"))
        reading.end.cancel()
        #expect(await events.next() == nil)
        let error = await #expect(throws: NetworkError.self) { try await reading.end.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `what the request says about itself stays`() async throws {
        let request = GetGreeting { request in
            request.headers[.accept] = "text/event-stream;q=1"
            request.headers[.cacheControl] = "no-store"
            request.timeLimits.total = .seconds(60)
        }
        let reading = read(request)
        let exchange = await server.nextExchange()
        #expect(exchange.request.headers[.accept] == "text/event-stream;q=1")
        #expect(exchange.request.headers[.cacheControl] == "no-store")
        #expect(exchange.request.timeLimits.total == .seconds(60))
        exchange.respond(status: 204)
        try await reading.end.value
    }

    @Test func `comes back where it stopped, after the pause that the server asked for, until 204`() async throws {
        let reading = read(after: "7")
        var events = reading.events.makeAsyncIterator()
        let first = await server.nextExchange()
        #expect(first.request.headers[.lastEventID] == "7")
        var pipe = first.respondStreaming(headers: Self.head)
        pipe.write(Data("retry: 5000\nid: 8\ndata: a\n\nid: 9\ndata: cut off"))
        pipe.finish()

        #expect(await events.next() == .init(data: "a", lastEventID: "8"))
        let pause = await clock.nextPauseWithPurpose()
        #expect(pause.duration == .seconds(5))
        #expect(pause.purpose == .reconnection)
        clock.advance(by: .seconds(5))
        let second = await server.nextExchange()
        #expect(second.request.headers[.lastEventID] == "8")
        pipe = second.respondStreaming(headers: Self.head)
        pipe.write(Data("data: b\n\n"))
        #expect(await events.next() == .init(data: "b", lastEventID: "8"))

        pipe.finish(throwing: NetworkError(.connectionLost))
        #expect(await clock.nextPause() == .seconds(5))
        clock.advance(by: .seconds(5))
        await server.nextExchange().respond(status: 204)
        #expect(await events.next() == nil)
        try await reading.end.value
    }

    @Test(arguments: [("1 ", "1"), ("é", "é"), ("a\u{1}b", nil), ("", nil)])
    func `an identifier that can stand in no field is not sent`(id: String, sent: String?) async throws {
        let reading = read()
        let pipe = await server.nextExchange().respondStreaming(headers: Self.head)
        pipe.write(Data("id: \(id)\ndata: a\n\n"))
        pipe.finish()
        clock.advance(by: await clock.nextPause())

        let exchange = await server.nextExchange()
        #expect(exchange.request.headers[.lastEventID] == sent)
        exchange.respond(status: 204)
        try await reading.end.value
    }

    @Test func `waits longer each time that nobody answers, and afresh once somebody has`() async throws {
        let reading = read()
        for seconds in [3, 6, 12, 24] {
            let exchange = await server.nextExchange()
            if seconds == 12 { exchange.respond(status: 503) } else { exchange.fail(NetworkError(.connectionRefused)) }
            #expect(await clock.nextPause() == .seconds(seconds))
            clock.advance(by: .seconds(seconds))
        }
        await server.nextExchange().respondStreaming(headers: Self.head).finish()
        #expect(await clock.nextPause() == .seconds(3))
        reading.end.cancel()
        let error = await #expect(throws: NetworkError.self) { try await reading.end.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `gives up after as many failures in a row as the policy says`() async throws {
        var policy = Self.steady
        policy.maximumFailures = 2
        let reading = read(GetGreeting(), policy)
        await server.nextExchange().fail(NetworkError(.connectionRefused))
        clock.advance(by: await clock.nextPause())
        await server.nextExchange().fail(NetworkError(.offline))

        let error = await #expect(throws: NetworkError.self) { try await reading.end.value }
        #expect(error?.code == .offline)
    }

    @Test(arguments: [
        (401, "text/event-stream", "unacceptable-status"),
        (200, "text/html; charset=utf-8", "unacceptable-content-type"),
    ])
    func `ends where another connection would not help`(status: Int, type: String, code: String) async throws {
        let reading = read()
        let cancelled = OneShot<Void>()
        let pipe = await server.nextExchange().respondStreaming(
            status: HTTPStatus(status),
            headers: [.contentType: type],
            onCancel: { cancelled.resolve(()) }
        )
        if status == 401 { pipe.finish() } else { await cancelled.valueOrCancellation() }

        let error = await #expect(throws: NetworkError.self) { try await reading.end.value }
        #expect(error?.code.rawValue == code)
        #expect(error?.statusCode == status)
        #expect(error?.request?.description == "GET https://api.test/greeting")
        if status == 200 { #expect(error?.explanation == "the body is text/html, not text/event-stream") }
    }

    @Test func `an event that is too long ends the stream`() async throws {
        let reading = read()
        let cancelled = OneShot<Void>()
        let pipe = await server.nextExchange().respondStreaming(
            headers: Self.head,
            onCancel: { cancelled.resolve(()) }
        )
        pipe.write(Data(repeating: UInt8(ascii: "x"), count: 65))

        await cancelled.valueOrCancellation()
        let error = await #expect(throws: NetworkError.self) { try await reading.end.value }
        #expect(error?.code == .lineTooLong)
        #expect(error?.step == .body)
    }

    @Test func `tells what becomes of the connection`() async throws {
        let network = network()
        var updates = network.events(of: GetGreeting(), reconnection: Self.steady).updates.makeAsyncIterator()
        func next() async throws -> String {
            switch try await updates.next() {
            case .connecting: "connecting"
            case .opened(let head): "opened \(head.status.code)"
            case .event(let event): "event \(event.data)"
            case .dropped(let error, let pause): "dropped \(error?.code.rawValue ?? "-") \(pause)"
            case nil: "end"
            }
        }
        let turns = Task { [server, clock] in
            let pipe = await server.nextExchange().respondStreaming(headers: Self.head)
            pipe.write(Data("data: a\n\n"))
            pipe.finish()
            clock.advance(by: await clock.nextPause())
            await server.nextExchange().fail(NetworkError(.offline))
            clock.advance(by: await clock.nextPause())
            await server.nextExchange().respond(status: 204)
        }
        var told: [String] = []
        repeat { told.append(try await next()) } while told.last != "end"
        await turns.value

        #expect(
            told == [
                "connecting", "opened 200", "event a", "dropped - 3.0 seconds", "connecting",
                "dropped offline 3.0 seconds", "connecting", "end",
            ]
        )
        #expect(try await next() == "end")
        #expect(network.inFlight.isEmpty)
    }

    @Test func `each connection passes the actions anew`() async throws {
        let log = EventLog()
        let reading = read(on: network([RecordingAction("A", log: log)]))
        await server.nextExchange().respondStreaming(headers: Self.head).finish()
        clock.advance(by: await clock.nextPause())
        await server.nextExchange().respond(status: 204)
        try await reading.end.value

        let pass = ["A will begin", "A began", "A response began"]
        #expect(log.lines == pass + ["A completed 200"] + pass + ["A completed 204"])
    }

    @Test func `letting go of the reader ends the connection`() async throws {
        let network = network()
        let cancelled = OneShot<Void>()
        let reading = Task {
            for try await event in network.events(of: GetGreeting()) { return event.data }
            return ""
        }
        let pipe = await server.nextExchange().respondStreaming(
            headers: Self.head,
            onCancel: { cancelled.resolve(()) }
        )
        pipe.write(Data("data: a\n\n"))

        #expect(try await reading.value == "a")
        await cancelled.valueOrCancellation()
        #expect(network.inFlight.isEmpty)
    }
}
