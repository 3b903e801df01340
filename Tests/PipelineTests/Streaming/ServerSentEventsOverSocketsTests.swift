import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Events through real connections; only the pauses are the test's.
@Suite(.timeLimit(.minutes(3)))
struct ServerSentEventsOverSocketsTests {
    @Test(arguments: [true, false], TransportKind.allCases)
    func `survives a connection that drops in the middle of an event`(isReset: Bool, kind: TransportKind) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = LoopbackGate()
        let head = LoopbackStep.head(
            200,
            headers: ["Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"]
        )
        server.handle(
            "GET",
            "/events",
            inTurn: [
                [
                    head, .chunk(": hello\nretry: 100\nid: 1\nda"), .chunk("ta: one\r"), .chunk("\n\r\n"), .wait(gate),
                    .chunk("id: 2\ndata: t"), isReset ? .reset : .close,
                ],
                [head, .chunk("id: 2\ndata: two\n\n"), .lastChunk],
                .empty(204),
            ]
        )
        let clock = ManualClock()
        let network = Network(baseURL: server.url, transport: kind.transport, configuration: .init(time: clock))
        let pauses = Task {
            for _ in 0..<2 {
                #expect(await clock.nextPause() >= .seconds(1))
                clock.advance(by: .seconds(60))
            }
        }
        var events: [ServerSentEvent] = []
        for try await event in network.events(of: NetworkRequest(url: server.url("/events"))) {
            events.append(event)
            gate.open()
        }
        await pauses.value

        #expect(events == [.init(data: "one", lastEventID: "1"), .init(data: "two", lastEventID: "2")])
        #expect(server.requests.map { $0.first(of: "Last-Event-ID") } == [nil, "1", "2"])
    }
}
