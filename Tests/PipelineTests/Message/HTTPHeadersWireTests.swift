import Pipeline
import Testing

struct HTTPHeadersWireTests {
    @Test(arguments: [
        ("", []), ("A: 1\r\n", ["A=1"]), ("A:1\r\nb:  2 \t\r\n", ["A=1", "b=2"]), ("A:\r\n", ["A="]),
        ("A: 1\n B: 2\n", ["A=1 B: 2"]), ("A:\r\n 1\r\n", ["A=1"]), ("A: 1\r\n \r\n\t2\r\n \r\n", ["A=1 2"]),
        ("A: 1\r\n\tmore\r\nB: 2\r\n", ["A=1 more", "B=2"]),
        ("no colon\r\nA: 1:2\r\n", ["A=1:2"]), ("A: 1", ["A=1"]), (" A: 1\r\n", ["A=1"]),
    ])
    func `reads lines`(text: String, fields: [String]) {
        let headers = HTTPHeaders(lines: Array(text.utf8))
        #expect(headers.map { "\($0.name.spelling)=\($0.value)" } == fields)
    }

    @Test func `reads what is not UTF-8 as Latin-1`() {
        let headers = HTTPHeaders(lines: Array("A: Zo".utf8) + [0xEB, 0x0D, 0x0A] + Array("B: Zoë\r\n".utf8))
        #expect(headers["A"] == "Zoë")
        #expect(headers["B"] == "Zoë")
    }
}
