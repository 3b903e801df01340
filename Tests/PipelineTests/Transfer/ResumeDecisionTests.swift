import Pipeline
import Testing

/// RFC 9110, sections 14.2, 15.3.7 and 15.5.17.
struct ResumeDecisionTests {
    static let tag = RangeValidator.entityTag("\"a\"")
    static let asked = ResumeDecision.Question(start: 99, validator: tag, total: 200)
    static let askedOfUnknown = ResumeDecision.Question(start: 99, validator: tag, total: nil)

    @Test(
        arguments: [
            // The rest
            (206, ["Content-Range": "bytes 99-199/200", "ETag": "\"a\""], asked, "99 to 199 of 200"),
            (206, ["Content-Range": "bytes 99-199/200"], asked, "99 to 199 of 200"),
            (206, ["Content-Range": "bytes 99-199/*"], asked, "99 to 199 of 200"),
            (206, ["Content-Range": "bytes 99-150/200"], asked, "99 to 150 of 200"),
            (206, ["Content-Range": "bytes 99-299/300"], askedOfUnknown, "99 to 299 of 300"),
            (206, ["Content-Range": "bytes 99-199/200", "Content-Encoding": "identity"], asked, "99 to 199 of 200"),
            (206, ["Content-Range": "bytes 99-199/200", "Content-Length": "101"], asked, "99 to 199 of 200"),
            // The whole
            (200, ["ETag": "\"b\""], asked, "begin"), (200, ["ETag": "\"a\""], asked, "begin"),
            (200, [:], nil, "begin"),
            (203, [:], nil, "begin"), (200, ["Content-Range": "bytes 99-199/200"], asked, "begin"),
            // Something else
            (206, [:], asked, "again"), (206, ["Content-Range": "bytes 0-199/200"], asked, "again"),
            (206, ["Content-Range": "bytes 100-199/200"], asked, "again"),
            (206, ["Content-Range": "bytes 99-200/201"], asked, "again"),
            (206, ["Content-Range": "bytes 99-200/*"], asked, "again"),
            (206, ["Content-Range": "bytes */200"], asked, "again"), (206, ["Content-Range": "99-199"], asked, "again"),
            (206, ["Content-Type": "multipart/byteranges; boundary=x"], asked, "again"),
            (206, ["Content-Range": "bytes 99-199/200", "ETag": "\"b\""], asked, "again"),
            (206, ["Content-Range": "bytes 99-199/200", "ETag": "W/\"a\""], asked, "again"),
            (206, ["Content-Range": "bytes 99-199/200", "Content-Encoding": "gzip"], asked, "again"),
            // A server may send less than was asked for, so that without a total nobody knows when all is there.
            (206, ["Content-Range": "bytes 99-299/*"], askedOfUnknown, "again"),
            (206, ["Content-Range": "bytes 99-199/200", "Content-Length": "100"], asked, "again"),
            (206, ["Content-Range": "bytes 99-199/200", "Content-Length": "9223372036854775807"], asked, "again"),
            (206, ["Content-Range": "bytes 99-199/200", "Content-Length": "9223372036854775808"], asked, "again"),
            (416, ["Content-Range": "bytes */50"], asked, "again"), (416, [:], asked, "again"),
            (412, [:], asked, "again"),
            // Nobody asked
            (206, ["Content-Range": "bytes 0-199/200"], nil, "refuse"), (416, [:], nil, "begin"),
        ] as [(Int, HTTPHeaders, ResumeDecision.Question?, String)]
    )
    func `decides what a response means`(
        status: Int,
        headers: HTTPHeaders,
        question: ResumeDecision.Question?,
        expected: String
    ) {
        let summary =
            switch ResumeDecision(on: HTTPStatus(status), headers, asked: question) {
            case .begin: "begin"
            case .goOn(let bytes, let total):
                "\(bytes.lowerBound) to \(bytes.upperBound) of \(total)"
            case .startAgain: "again"
            case .refuse: "refuse"
            }
        #expect(summary == expected)
    }
}
