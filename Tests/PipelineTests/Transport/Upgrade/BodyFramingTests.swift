import Foundation
import Pipeline
import Testing

struct BodyFramingTests {
    private func read(_ text: String, _ kind: BodyFraming.Kind, by size: Int) throws -> (String, BodyFraming) {
        var framing = BodyFraming(kind)
        var body = Data()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            body += try framing.read(Data(bytes[start..<min(start + size, bytes.count)]))
        }
        return (String(decoding: body, as: UTF8.self), framing)
    }

    static let whole: [(text: String, kind: BodyFraming.Kind, body: String)] = [
        ("hello", .length(5), "hello"), ("hello more", .length(5), "hello"), ("", .length(0), ""),
        ("5\r\nhello\r\n0\r\n\r\n", .chunked, "hello"),
        ("5;a=b\r\nhello\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\nrest", .chunked, "hello0123456789"),
        ("5\nhello\n000\n\n", .chunked, "hello"), ("all of it", .connection, "all of it"),
    ]

    @Test(arguments: whole.indices, [1, 2, 3, 100])
    func `finds the end of a body`(index: Int, size: Int) throws {
        let (text, kind, body) = Self.whole[index]
        let (read, framing) = try read(text, kind, by: size)
        #expect(read == body)
        #expect(framing.mayEnd)
        #expect(framing.isOver == (kind != .connection))
    }

    @Test(arguments: [("hell", BodyFraming.Kind.length(5)), ("5\r\nhello\r\n0\r\n", .chunked), ("5\r\nhel", .chunked)])
    func `knows a body that is not whole`(text: String, kind: BodyFraming.Kind) throws {
        #expect(try !read(text, kind, by: 3).1.mayEnd)
    }

    @Test(arguments: ["xyz\r\n", "5\r\nhello!\r\n", "\r\n", "-5\r\n", "+5\r\n", "FFFFFFFFFFFFFFFFF\r\n"])
    func `refuses chunks that are none`(text: String) {
        let error = #expect(throws: NetworkError.self) { try read(text, .chunked, by: 100) }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `refuses a line that does not end`() {
        let error = #expect(throws: NetworkError.self) {
            try read(String(repeating: "1", count: 9000), .chunked, by: 1000)
        }
        #expect(error?.code == .protocolViolation)
    }
}
