import Foundation
import Pipeline
import PipelineTesting
import Testing

struct WebSocketSessionTests {
    typealias Event = WebSocketSession.Event

    /// What a client makes of bytes, in pieces of a size, and what it answers.
    private func run(_ bytes: Data, by size: Int = .max, limit: Int = 1000) -> (events: [Event], output: Data) {
        var session = WebSocketSession(.client, maximumMessageSize: limit)
        var events: [Event] = []
        var output = Data()
        for start in stride(from: 0, to: bytes.count, by: min(size, max(bytes.count, 1))) {
            session.receive(bytes[start..<min(bytes.count, start + min(size, bytes.count))])
            while let event = session.next(sending: &output) { events.append(event) }
        }
        return (events, output)
    }

    private func bytes(_ frames: WebSocketFrame...) -> Data {
        frames.reduce(into: Data()) { $1.encode(mask: nil, into: &$0) }
    }

    /// What a server reads of what a client has sent.
    private func frames(_ output: Data) throws -> [WebSocketFrame] {
        var parser = WebSocketFrameParser(expectsMask: true)
        parser.append(output)
        var frames: [WebSocketFrame] = []
        while let step = try parser.next() {
            switch step {
            case .head(let head): frames.append(WebSocketFrame(head.opcode, isFinal: head.isFinal))
            case .payload(let bytes): frames[frames.count - 1].payload += bytes
            case .end: break
            }
        }
        return frames
    }

    private func closeFrame(_ code: UInt16, _ reason: String = "") -> WebSocketFrame {
        WebSocketFrame(.close, Data([UInt8(code >> 8), UInt8(code & 0xFF)]) + Data(reason.utf8))
    }

    @Test(arguments: [1, 2, 3, 1000])
    func `puts fragments together and answers pings between them`(size: Int) throws {
        let input = bytes(
            WebSocketFrame(.text, Data("€".utf8).prefix(2), isFinal: false),
            WebSocketFrame(.ping, Data("1".utf8)),
            WebSocketFrame(.continuation, Data(), isFinal: false),
            WebSocketFrame(.pong, Data("2".utf8)),
            WebSocketFrame(.continuation, Data("€".utf8).suffix(1) + Data("!".utf8)),
            WebSocketFrame(.binary, Data([1, 2])),
            WebSocketFrame(.text)
        )
        let (events, output) = run(input, by: size)
        #expect(
            events == [
                .ping(Data("1".utf8)), .pong(Data("2".utf8)), .message(.text("€!")), .message(.binary(Data([1, 2]))),
                .message(.text("")),
            ]
        )
        #expect(try frames(output) == [WebSocketFrame(.pong, Data("1".utf8))])
    }

    static let faults: [(name: String, frames: [WebSocketFrame], code: WebSocketCloseCode)] = [
        ("continuation of nothing", [WebSocketFrame(.continuation, Data([1]))], .protocolError),
        (
            "message within a message", [WebSocketFrame(.text, isFinal: false), WebSocketFrame(.text)], .protocolError
        ),
        (
            "continuation after the last",
            [WebSocketFrame(.text), WebSocketFrame(.continuation)], .protocolError
        ),
        ("half a code", [WebSocketFrame(.close, Data([3]))], .protocolError),
        ("code 999", [WebSocketFrame(.close, Data([3, 231]))], .protocolError),
        ("code 1004", [WebSocketFrame(.close, Data([3, 236]))], .protocolError),
        ("code 1005", [WebSocketFrame(.close, Data([3, 237]))], .protocolError),
        ("code 1006", [WebSocketFrame(.close, Data([3, 238]))], .protocolError),
        ("code 1015", [WebSocketFrame(.close, Data([3, 247]))], .protocolError),
        ("code 2999", [WebSocketFrame(.close, Data([0x0B, 0xB7]))], .protocolError),
        ("code 5000", [WebSocketFrame(.close, Data([0x13, 0x88]))], .protocolError),
        ("reason that is no text", [WebSocketFrame(.close, Data([3, 232, 0xFF]))], .invalidPayload),
        ("text that is none", [WebSocketFrame(.text, Data([0x61, 0xC0, 0x80]))], .invalidPayload),
        ("text that is cut", [WebSocketFrame(.text, Data([0xE2, 0x82]))], .invalidPayload),
        (
            "text that breaks between fragments",
            [WebSocketFrame(.text, Data([0xE2]), isFinal: false), WebSocketFrame(.continuation, Data([0x41]))],
            .invalidPayload
        ),
        ("too large", [WebSocketFrame(.binary, Data(count: 1001))], .messageTooBig),
        (
            "too large together",
            [
                WebSocketFrame(.binary, Data(count: 600), isFinal: false),
                WebSocketFrame(.continuation, Data(count: 401)),
            ],
            .messageTooBig
        ),
    ]

    @Test(arguments: faults.indices, [1, 1_000_000])
    func `closes with the code of the fault and reads no more`(index: Int, size: Int) throws {
        let (name, wrong, code) = Self.faults[index]
        let input = wrong.reduce(into: Data()) { $1.encode(mask: nil, into: &$0) }
        let (events, output) = run(input + bytes(WebSocketFrame(.binary, Data([7]))), by: size)
        guard case .failed(let fault)? = events.last else {
            Issue.record("\(name): \(events)")
            return
        }
        #expect(fault.code == code, "\(name)")
        let sent = try #require(try frames(output).last)
        #expect(sent.opcode == .close)
        #expect(Array(sent.payload.prefix(2)) == [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)])
        #expect(try frames(output).count == 1)
    }

    @Test func `fails before the payload that is too large or no text has come`() {
        let large = run(Data(hex: "827e03e9"))
        #expect(large.events.count == 1)
        let text = run(Data(hex: "817e03e8 61 ff"))
        guard case .failed(let fault)? = text.events.last else {
            Issue.record("\(text.events)")
            return
        }
        #expect(fault.code == .invalidPayload)
    }

    @Test func `takes a message of exactly the limit`() {
        #expect(run(bytes(WebSocketFrame(.binary, Data(count: 1000)))).events.count == 1)
    }

    @Test func `answers a close with its code, and ignores what follows`() throws {
        let (events, output) = run(bytes(closeFrame(4001, "bye"), WebSocketFrame(.ping)))
        #expect(events == [.closed(WebSocketClose(WebSocketCloseCode(4001), "bye"))])
        #expect(try frames(output) == [closeFrame(4001)])
    }

    @Test func `answers a close without a code with one`() throws {
        let (events, output) = run(bytes(WebSocketFrame(.close)))
        #expect(events == [.closed(WebSocketClose(.noStatusReceived))])
        #expect(try frames(output) == [WebSocketFrame(.close)])
    }

    @Test func `sends nothing after its close, and still reads`() throws {
        var session = WebSocketSession(.client, maximumMessageSize: 10)
        var output = Data()
        session.close(WebSocketClose(.goingAway, "leaving"), sending: &output)
        session.close(WebSocketClose(.normalClosure), sending: &output)
        session.ping(Data(), sending: &output)
        session.receive(bytes(WebSocketFrame(.ping), WebSocketFrame(.text, Data("late".utf8)), closeFrame(1001)))
        var events: [Event] = []
        while let event = session.next(sending: &output) { events.append(event) }
        #expect(
            events == [.ping(Data()), .message(.text("late")), .closed(WebSocketClose(.goingAway))]
        )
        #expect(try frames(output) == [closeFrame(1001, "leaving")])
    }

    @Test func `leaves out a code that may not be sent, and cuts a reason that is too long`() throws {
        var output = Data()
        var session = WebSocketSession(.client, maximumMessageSize: 10)
        session.close(WebSocketClose(.abnormalClosure, "lost"), sending: &output)
        #expect(try frames(output) == [WebSocketFrame(.close)])

        var other = WebSocketSession(.client, maximumMessageSize: 10)
        var long = Data()
        other.close(WebSocketClose(.normalClosure, String(repeating: "€", count: 60)), sending: &long)
        #expect(try frames(long) == [closeFrame(1000, String(repeating: "€", count: 41))])
    }

    @Test func `takes what a server sends and a server takes what a client sends`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let text = String(
                (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                    "aé€😀".randomElement(using: &generator) ?? "x"
                }
            )
            let limit = Int.random(in: 1...50, using: &generator)
            for (from, to) in [(WebSocketSession.Role.client, WebSocketSession.Role.server), (.server, .client)] {
                var session = WebSocketSession(to, maximumMessageSize: 10_000)
                session.receive(WebSocketSession.bytes(of: .text(text), upTo: limit, from: from))
                var output = Data()
                #expect(session.next(sending: &output) == .message(.text(text)))
                #expect(output.isEmpty)
            }
        }
    }
}
