#if canImport(Glibc)
    import Pipeline
    import Testing

    struct ResponseHeadReaderTests {
        private let reader = LineReader()

        private func read(_ lines: [String]) -> [String] { reader.read(lines) }

        @Test(arguments: [
            ("HTTP/1.1 200 OK", 200, HTTPVersion.http1_1), ("HTTP/1.1 404", 404, .http1_1),
            ("HTTP/2 204 ", 204, .http2), ("HTTP/1.0 500 Oh", 500, .http1_0),
        ])
        func `reads a status line`(line: String, status: Int, version: HTTPVersion) {

            #expect(read([line, "A: 1", ""]) == ["complete"])
            #expect(reader.head.status == status)
            #expect(reader.head.version == version)
            #expect(HTTPHeaders(lines: reader.head.lines) == ["A": "1"])
        }

        @Test(arguments: ["hello", "HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 20", "http/1.1 200 OK", ""])
        func `refuses what is no status line`(line: String) {
            #expect(read([line]) == ["protocol-violation"])
        }

        @Test func `tells interim responses, up to as many as there may be`() {
            let hint = ["HTTP/1.1 103 Early Hints", "Link: </a>", ""]

            #expect(read(hint + hint) == ["interim 103", "interim 103"])
            #expect(!reader.head.isUntouched && !reader.head.isComplete)
            #expect(read(["HTTP/1.1 200 OK", "A: 1", ""]) == ["complete"])
            #expect(HTTPHeaders(lines: reader.head.lines) == ["A": "1"])

            #expect(LineReader().read(hint + hint + hint).last == "protocol-violation")
        }

        @Test func `refuses to switch protocols`() {
            #expect(read(["HTTP/1.1 101 Switching Protocols", "Upgrade: x", ""]) == ["protocol-violation"])
        }

        @Test func `keeps the fields after the body apart`() {
            #expect(read(["HTTP/1.1 200 OK", "A: 1", "", "X-Sum: 3", ""]) == ["complete"])
            #expect(HTTPHeaders(lines: reader.head.trailers) == ["X-Sum": "3"])
            #expect(HTTPHeaders(lines: reader.head.lines) == ["A": "1"])
        }

        @Test(arguments: [
            ["A: 1", "B: 2", "C: 3", "D: 4", "E: 5", "F: 6"],
            ["A: \(String(repeating: "a", count: 1000))"],
        ])
        func `refuses a head beyond its limits`(lines: [String]) {
            #expect(read(["HTTP/1.1 200 OK"] + lines) == ["protocol-violation"])
            #expect(
                LineReader().read(["HTTP/1.1 200 OK", ""] + lines) == ["complete", "protocol-violation"]
            )
        }

        @Test(arguments: [
            (["Content-Length: 3"], 3), (["content-length:3"], 3), (["Content-Length: 3", "CONTENT-LENGTH: 3"], 3),
            (["Content-Length: 3, 3"], 3), (["Content-Length: 3,,03"], 3), (["Content-Length : 3"], nil),
            (["Content-Lengthy: 3"], nil), ([], nil),
        ])
        func `reads the length`(lines: [String], length: Int?) {
            #expect(read(["HTTP/1.1 200 OK"] + lines + [""]) == ["complete"])
            #expect(reader.head.announcedLength == length)
        }

        @Test(arguments: [
            ["Content-Length: 3", "Content-Length: 4"], ["Content-Length: 3, 4"], ["Content-Length: -3"],
            ["Content-Length: 3x"], ["Content-Length: 99999999999999999999"], ["Content-Length: +3"],
        ])
        func `refuses lengths that are none, or differ`(lines: [String]) {
            #expect(read(["HTTP/1.1 200 OK"] + lines) == ["protocol-violation"])
        }

        @Test(arguments: [
            (["Content-Encoding: gzip"], 1), (["Content-Encoding: identity"], 0),
            (["Content-Encoding: identity, br"], 1),
            (["Content-Encoding:"], 0), ([], 0),
        ])
        func `counts the codings`(lines: [String], codings: Int) {
            #expect(read(["HTTP/1.1 200 OK"] + lines + [""]) == ["complete"])
            #expect(reader.head.codings == codings)
        }

        @Test(arguments: [["Content-Encoding: gzip, br"], ["Content-Encoding: gzip", "content-encoding: gzip"]])
        func `refuses codings on top of each other`(lines: [String]) {
            #expect(read(["HTTP/1.1 200 OK"] + lines + [""]) == ["content-coding-failed"])
        }
    }

    /// Reads lines and says in a word each what they meant, those that mean nothing yet left out.
    private final class LineReader {
        private(set) var head = ResponseHeadReader(limits: .init(size: 1000, fields: 5, interimResponses: 2))

        func read(_ lines: [String]) -> [String] {
            lines.compactMap { line in
                switch Array((line + "\r\n").utf8).withUnsafeBytes({ head.take($0) }) {
                case .more: nil
                case .interim(let status, _): "interim \(status)"
                case .complete: "complete"
                case .violation(let error): error.code.rawValue
                }
            }
        }
    }
#endif
