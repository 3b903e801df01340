import Foundation
import Pipeline
import Testing

struct UpgradeAnswerTests {
    private func makeAnswer() -> UpgradeAnswer {
        UpgradeAnswer(limits: .init(size: 1000, fields: 10, interimResponses: 2), upTo: 20)
    }

    /// Reads an answer in pieces of a size, up to its end.
    private func read(_ text: String, by size: Int) throws -> (UpgradeAnswer, UpgradeAnswer.Progress) {
        var answer = makeAnswer()
        let bytes = Data(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let progress = try answer.take(bytes[start..<min(start + size, bytes.count)])
            if progress != .more { return (answer, progress) }
        }
        return (answer, .more)
    }

    @Test(arguments: [1, 7, 1000])
    func `ends with the head when the server switches`(size: Int) throws {
        let text = "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\nrest"
        let (answer, progress) = try read(text, by: size)
        #expect(answer.head.status == 101)
        #expect(HTTPHeaders(lines: answer.head.lines)["Upgrade"] == "websocket")
        guard case .switched(let rest) = progress else {
            Issue.record("\(progress)")
            return
        }
        #expect("rest".hasPrefix(String(decoding: rest, as: UTF8.self)))
        #expect(size < 1000 || rest == Data("rest".utf8))
    }

    @Test(
        arguments: [
            "HTTP/1.1 403 No\r\nContent-Length: 5\r\n\r\nsorry",
            "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nsor\r\n2\r\nry\r\n0\r\n\r\n",
        ],
        [1, 7, 1000]
    )
    func `reads the body of a refusal`(text: String, size: Int) throws {
        let (answer, progress) = try read(text, by: size)
        #expect(progress == .refused)
        #expect(answer.head.status == 403)
        #expect(answer.body == Data("sorry".utf8))
    }

    @Test func `takes the end of the connection for the end of a body only where it is`() throws {
        let (open, progress) = try read("HTTP/1.1 403 No\r\n\r\nsorry", by: 5)
        #expect(progress == .more)
        try open.end()
        #expect(open.body == Data("sorry".utf8))
        for (text, code) in [
            ("HTTP/1.1 403 No\r\nContent-Length: 6\r\n\r\nsorry", NetworkError.Code.truncated),
            ("HTTP/1.1 403 No\r\n", .connectionLost), ("", .connectionLost),
        ] {
            let error = #expect(throws: NetworkError.self) { try read(text, by: 100).0.end() }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: [
        ("220 mail.test\r\n", NetworkError.Code.protocolViolation),
        ("HTTP/1.1 101 " + String(repeating: "x", count: 2500), .protocolViolation),
        ("HTTP/1.1 403 No\r\n\r\n" + String(repeating: "x", count: 21), .responseTooLarge),
        ("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .protocolViolation),
    ])
    func `refuses an answer that breaks the rules, or is too large`(text: String, code: NetworkError.Code) {
        let error = #expect(throws: NetworkError.self) { try read(text, by: 100) }
        #expect(error?.code == code)
    }
}
