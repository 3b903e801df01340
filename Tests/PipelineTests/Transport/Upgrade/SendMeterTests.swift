import Foundation
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SendMeterTests {
    @Test func `has those wait who are ahead, until enough has left`() async throws {
        let meter = SendMeter()
        meter.add(10)
        try await meter.drain(to: 10)
        let waiting = Task { try await meter.drain(to: 4) }
        meter.sent(5)
        meter.sent(1)
        try await waiting.value
    }

    @Test func `tells of the end those whose bytes had not left`() async throws {
        let meter = SendMeter()
        meter.add(10)
        let waiting = Task { try await meter.drain(to: 0) }
        meter.sent(9)
        meter.end(with: NetworkError(.connectionLost))
        meter.end(with: NetworkError(.cancelled))
        let error = await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(error?.code == .connectionLost)
        await #expect(throws: NetworkError.self) { try await meter.drain(to: 64) }

        let other = SendMeter()
        other.add(10)
        other.sent(10)
        other.end(with: NetworkError(.connectionLost))
        try await other.drain(to: 0)
        other.add(1)
        let late = await #expect(throws: NetworkError.self) { try await other.drain(to: 64) }
        #expect(late?.code == .connectionLost)
    }

    @Test func `ends a wait with its task`() async {
        let meter = SendMeter()
        meter.add(10)
        let waiting = Task { try await meter.drain(to: 0) }
        waiting.cancel()
        let error = await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(error?.isCancellation == true)
    }
}
