import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct EventMonitorTests {
    let monitor = RecordingMonitor()
    let clock = ManualClock()

    func network(_ actions: [any Action], _ transport: any Transport) -> Network {
        Network(
            baseURL: api,
            actions: actions,
            transport: transport,
            configuration: .init(time: clock, monitors: [monitor])
        )
    }

    var lines: [String] { monitor.events.map(\.kind.line) }

    @Test func `tells in order what a send does and why`() async throws {
        let retrying = HookAction.retrying(zone: .hop) { outcome, request in
            outcome.status == 503 && request.pass == 1
        }
        let server = ScriptedTransport([.redirect(to: "/b"), .status(503), .status(200, body: "hello")])
        _ = try await network([retrying], server).send(GetGreeting())

        #expect(
            lines == [
                "began GET https://api.test/greeting",
                "passed HookAction", "attempt 1 began", "response 302", "attempt 1 ended 302",
                "delivered HookAction 302",
                "redirected 302 to https://api.test/b",
                "passed HookAction", "attempt 2 began", "response 503", "attempt 2 ended 503", "retrying HookAction",
                "passed HookAction", "attempt 3 began", "response 200", "attempt 3 ended 200",
                "delivered HookAction 200",
                "delivered RedirectAction 200",
                "ended 200",
            ]
        )
        #expect(Set(monitor.events.map(\.id)).count == 1)
    }

    @Test func `tells the final error, also of a build that failed`() async throws {
        let network = network([], ScriptedTransport([.status(200, body: "no number")]))
        _ = await network.result(of: GetValue<Int>())
        _ = await network.result(of: GetValue<Int>().configured { $0.body = .value(Double.nan) })

        #expect(lines.filter { $0.hasPrefix("ended") } == ["ended decoding-failed", "ended encoding-failed"])
    }

    @Test func `tells the end of a stream after the end of the send`() async throws {
        let server = ConversationTransport()
        async let sent = network([], server).send(NetworkRequest(url: api, delivery: .stream))
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        clock.advance(by: .seconds(3))
        pipe.finish()
        _ = try await response.body.collect()

        #expect(lines.suffix(2) == ["ended 200", "stream finished"])
        #expect(monitor.events.last?.age == .seconds(3))
    }

    @Test func `an action that is a monitor hears the sends it takes part in, and no others`() async throws {
        struct Listener: Action, EventMonitor {
            let monitor: RecordingMonitor
            func record(_ event: SendEvent) { monitor.record(event) }
        }
        let server = ScriptedTransport { .init(status: 200, request: $0) }
        let network = Network(baseURL: api, transport: server)
        _ = try await network.send(GetGreeting())
        #expect(monitor.events.isEmpty)
        _ = try await network.adding(Listener(monitor: monitor)).send(GetGreeting())
        _ = try await network.send(GetGreeting { [monitor] in $0.actions = [Listener(monitor: monitor)] })

        #expect(lines.filter { $0.hasPrefix("ended") }.count == 2)
    }

    @Test func `a request is small when it is copied`() {
        // Every action copies it; ten words is what it needs with its rare options behind one reference.
        #expect(MemoryLayout<NetworkRequest>.size <= 10 * MemoryLayout<Int>.size)
    }
}

extension SendEvent.Kind {
    /// The event as a line to compare.
    fileprivate var line: String {
        switch self {
        case .began(let request): "began \(request)"
        case .passed(let action, _): "passed \(action)"
        case .responded(let action, _): "responded \(action)"
        case .threw(let action, let error): "threw \(action) \(error.code)"
        case .waitingForNetwork(let path): "waits, \(path)"
        case .attemptBegan(let number, _): "attempt \(number) began"
        case .responseBegan(let response): "response \(response.status.code)"
        case .attemptEnded(let number, let outcome): "attempt \(number) ended \(outcome.summary)"
        case .delivered(let action, let response): "delivered \(action) \(response.status.code)"
        case .retrying(let action, _): "retrying \(action)"
        case .retryRefused(let action, let refusal): "refused \(action): \(refusal)"
        case .redirected(let status, let next): "redirected \(status.code) to \(next.url)"
        case .interimResponse(let status, _): "interim \(status.code)"
        case .progress(let progress): "progress \(progress.bytesReceived)"
        case .resumed(let place, let total): "resumed at \(place) of \(total ?? -1)"
        case .transferEnded(let trailers, _): "transfer ended with \(trailers.count) trailers"
        case .transport(let text): "transport \(text)"
        case .pinViolation(let violation): "pins of \(violation.host)"
        case .misuse(let action, let rule): "misuse \(action): \(rule)"
        case .note(let action, let note): "note \(action): \(note)"
        case .streamEnded(let end): "stream \(end)"
        case .ended(let outcome): "ended \(outcome.summary)"
        }
    }
}
