import Foundation
import Pipeline
import Testing

struct WebSocketFrameTests {
    @Test func `writes the frames that RFC 6455 shows`() {
        let mask = WebSocketMask([0x37, 0xFA, 0x21, 0x3D])
        let hello = Data("Hello".utf8)
        #expect(WebSocketFrame(.text, hello).encoded(mask: nil).hex == "810548656c6c6f")
        #expect(WebSocketFrame(.text, hello).encoded(mask: mask).hex == "818537fa213d7f9f4d5158")
        #expect(WebSocketFrame(.text, Data("Hel".utf8), isFinal: false).encoded(mask: nil).hex == "010348656c")
        #expect(WebSocketFrame(.continuation, Data("lo".utf8)).encoded(mask: nil).hex == "80026c6f")
        #expect(WebSocketFrame(.ping, hello).encoded(mask: nil).hex == "890548656c6c6f")
        #expect(WebSocketFrame(.pong, hello).encoded(mask: mask).hex == "8a8537fa213d7f9f4d5158")
    }

    @Test(arguments: [
        (0, "8200"), (125, "827d"), (126, "827e007e"), (65_535, "827effff"), (65_536, "827f0000000000010000"),
    ])
    func `writes a length in as few bytes as it needs`(count: Int, head: String) {
        let bytes = WebSocketFrame(.binary, Data(count: count)).encoded(mask: nil)
        #expect(bytes.prefix(head.count / 2).hex == head)
        #expect(bytes.count == head.count / 2 + count)
    }

    @Test(arguments: 0..<20)
    func `masks from any offset as from the beginning`(offset: Int) {
        let mask = WebSocketMask([1, 2, 4, 8])
        var whole = Data((0..<64).map { UInt8($0) })
        let plain = whole
        whole.withUnsafeMutableBytes { mask.apply(to: $0) }
        #expect(Array(whole) == plain.enumerated().map { $1 ^ mask.bytes[$0 % 4] })
        var rest = Data(plain[offset...])
        rest.withUnsafeMutableBytes { mask.apply(to: $0, at: offset) }
        #expect(rest == whole[offset...])
    }

    @Test func `draws a mask for each frame`() {
        #expect(Set((0..<32).map { _ in WebSocketMask.random() }).count > 30)
    }

    @Test func `cuts a message into fragments`() {
        let frames = WebSocketMessage.text("abcdefg").frames(upTo: 3)
        #expect(frames.map(\.opcode) == [.text, .continuation, .continuation])
        #expect(frames.map(\.isFinal) == [false, false, true])
        #expect(frames.map { String(decoding: $0.payload, as: UTF8.self) } == ["abc", "def", "g"])
        #expect(WebSocketMessage.binary(Data()).frames(upTo: 3) == [WebSocketFrame(.binary)])
        #expect(WebSocketMessage.binary(Data(count: 6)).frames(upTo: 3).map(\.payload.count) == [3, 3])
    }
}

extension Data {
    /// The bytes in hexadecimal.
    var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

    /// Bytes from hexadecimal digits; spaces are left out.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
