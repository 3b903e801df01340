import Foundation
import Pipeline
import PipelineTesting
import Testing

struct WebSocketFrameParserTests {
    typealias Step = WebSocketFrameParser.Step

    /// All that a parser makes of bytes that come in pieces of a size, with neighbouring pieces of a payload put together.
    private func steps(_ bytes: Data, by size: Int, expectsMask: Bool = false) throws -> [Step] {
        var parser = WebSocketFrameParser(expectsMask: expectsMask)
        var steps: [Step] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            parser.append(bytes[start..<min(start + size, bytes.count)])
            while let step = try parser.next() {
                if case .payload(let more) = step, case .payload(let before)? = steps.last {
                    steps[steps.count - 1] = .payload(before + more)
                } else {
                    steps.append(step)
                }
            }
        }
        return steps
    }

    private static let conversation: [WebSocketFrame] = [
        WebSocketFrame(.text, Data("héllo".utf8), isFinal: false),
        WebSocketFrame(.ping, Data("are you there".utf8)),
        WebSocketFrame(.continuation, Data(), isFinal: false),
        WebSocketFrame(.continuation, Data(repeating: 7, count: 300)),
        WebSocketFrame(.binary, Data(repeating: 9, count: 70_000)),
        WebSocketFrame(.close, Data([3, 232])),
    ]

    private func expected(_ frames: [WebSocketFrame]) -> [Step] {
        frames.flatMap { frame -> [Step] in
            let head = WebSocketFrameHead(
                opcode: frame.opcode,
                isFinal: frame.isFinal,
                length: UInt64(frame.payload.count)
            )
            return [.head(head)] + (frame.payload.isEmpty ? [] : [.payload(frame.payload)]) + [.end]
        }
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 1000, 1_000_000], [true, false])
    func `reads frames wherever their bytes are cut`(size: Int, isMasked: Bool) throws {
        let mask = isMasked ? WebSocketMask([9, 8, 7, 6]) : nil
        let bytes = Self.conversation.reduce(into: Data()) { $1.encode(mask: mask, into: &$0) }
        #expect(try steps(bytes, by: size, expectsMask: isMasked) == expected(Self.conversation))
    }

    @Test func `reads frames that are cut at random`() throws {
        var generator = SeededGenerator(seed: 6455)
        let mask = WebSocketMask([0xFF, 0, 0x55, 0xAA])
        let bytes = Self.conversation.reduce(into: Data()) { $1.encode(mask: mask, into: &$0) }
        for _ in 0..<50 {
            let size = Int.random(in: 1...4000, using: &generator)
            #expect(try steps(bytes, by: size, expectsMask: true) == expected(Self.conversation))
        }
    }

    @Test(arguments: [
        ("c1", "reserved bit"), ("a1", "reserved bit"), ("91", "reserved bit"), ("83", "opcode 3"), ("87", "opcode 7"),
        ("8b", "opcode 11"), ("8f", "opcode 15"), ("09", "fragmented"), ("08", "fragmented"), ("0a", "fragmented"),
        ("8180", "masked"), ("897e", "125 bytes"), ("887f", "125 bytes"), ("827e007d", "more bytes"),
        ("827f000000000000ffff", "more bytes"), ("827f8000000000000000", "first bit"),
    ])
    func `refuses a head as soon as it shows its fault`(hex: String, reason: String) throws {
        var parser = WebSocketFrameParser(expectsMask: false)
        let bytes = Data(hex: hex)
        parser.append(bytes.dropLast())
        #expect(try parser.next() == nil)
        parser.append(bytes.suffix(1))
        let fault = #expect(throws: WebSocketFault.self) { try parser.next() }
        #expect(fault?.code == .protocolError)
        #expect(fault?.description.contains(reason) == true)
    }

    @Test func `refuses a frame of a client that is not masked`() throws {
        var parser = WebSocketFrameParser(expectsMask: true)
        parser.append(Data(hex: "8100"))
        #expect(throws: WebSocketFault.self) { try parser.next() }
    }

    @Test func `takes lengths that need all their bytes`() throws {
        for (hex, length) in [("827e007e", 126), ("827f0000000000010000", 65_536), ("827f7fffffffffffffff", Int64.max)]
        {
            var parser = WebSocketFrameParser(expectsMask: false)
            parser.append(Data(hex: hex))
            let head = WebSocketFrameHead(opcode: .binary, isFinal: true, length: UInt64(length))
            #expect(try parser.next() == .head(head))
        }
    }
}
