import Foundation
import PipelineTesting
import Testing

@testable import Pipeline

/// What a link writes, over a connection whose other end the test is.
@Suite(.timeLimit(.minutes(1)))
struct WebSocketLinkTests {
    /// A connection that hands nothing to the system until it is told to.
    private final class SlowConnection: UpgradedConnection {
        let meter = SendMeter()
        private let written = Locked<[Data]>([])
        private let writes = AsyncStream.makeStream(of: Data.self)

        var unsent: Int { meter.waiting }

        /// What was written since the last time.
        func takeWritten() -> [Data] {
            written.withLock { written in
                defer { written = [] }
                return written
            }
        }

        /// Waits for what is written next, in order from the first.
        func nextWrite() async -> Data? {
            var iterator = writes.stream.makeAsyncIterator()
            return await iterator.next()
        }

        func write(_ bytes: Data) {
            meter.add(bytes.count)
            written.withLock { $0.append(bytes) }
            writes.continuation.yield(bytes)
        }

        func drain(to count: Int) async throws { try await meter.drain(to: count) }

        func next() async throws -> Data? { nil }

        func cancel() { meter.end(with: NetworkError(.cancelled)) }

        var epilogue: BodyEpilogue? { nil }
    }

    private let connection = SlowConnection()

    private func makeLink() -> WebSocketLink {
        WebSocketLink(
            connection,
            stream: BodyStream(connection),
            configuration: WebSocketConfiguration(),
            time: ManualClock()
        )
    }

    /// Has the server ping.
    private func ping(_ link: WebSocketLink, _ payload: String) {
        link.receive(WebSocketFrame(.ping, Data(payload.utf8)).encoded(mask: nil))
        while link.nextEvent() != nil {}
    }

    private func frames(_ written: [Data]) throws -> [WebSocketFrame] {
        var parser = WebSocketSession(.server, maximumMessageSize: 1 << 20)
        var frames: [WebSocketFrame] = []
        for bytes in written {
            parser.receive(bytes)
            var output = Data()
            while let event = parser.next(sending: &output) {
                switch event {
                case .message(let message): frames += message.frames(upTo: nil)
                case .pong(let payload): frames.append(WebSocketFrame(.pong, payload))
                default: Issue.record("\(event)")
                }
            }
        }
        return frames
    }

    @Test func `answers each ping while there is room`() throws {
        let link = makeLink()
        for number in 0..<3 { ping(link, "\(number)") }
        #expect(
            try frames(connection.takeWritten()) == (0..<3).map { WebSocketFrame(.pong, Data("\($0)".utf8)) }
        )
    }

    @Test func `answers only the newest of the pings that came while there was no room`() async throws {
        let link = makeLink()
        connection.meter.add(1 << 20)
        for number in 0..<1000 { ping(link, "\(number)") }
        #expect(try frames(connection.takeWritten()).isEmpty)
        connection.meter.sent(1 << 20)
        let pong = try #require(await connection.nextWrite())
        #expect(try frames([pong]) == [WebSocketFrame(.pong, Data("999".utf8))])
    }

    @Test func `sends an answer that waits for room ahead of the next message`() throws {
        let link = makeLink()
        connection.meter.add(1 << 20)
        for number in 0..<1000 { ping(link, "\(number)") }
        for text in ["a", "b"] { try link.write(.text(text)) }
        #expect(
            try frames(connection.takeWritten()) == [
                WebSocketFrame(.pong, Data("999".utf8)), WebSocketFrame(.text, Data("a".utf8)),
                WebSocketFrame(.text, Data("b".utf8)),
            ]
        )
    }
}
