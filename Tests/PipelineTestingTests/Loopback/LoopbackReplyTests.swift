import Foundation
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoopbackReplyTests {
    /// What a client reads to the end of the stream when it sends this request and the server answers with this reply.
    func answer(to request: String = "GET / HTTP/1.1\r\nHost: x\r\n\r\n", with reply: LoopbackReply) throws -> Data {
        let server = try LoopbackServer()
        server.handle { _ in reply.then(.close) }
        let client = try RawClient(port: server.port)
        try client.send(request)
        return try client.readToEnd()
    }

    static let replies: [(LoopbackReply, String)] = [
        (
            LoopbackReply.json("{}"),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        ),
        (
            .text("né", status: 201, headers: ["A": "1", "a": "2"]),
            "HTTP/1.1 201 Created\r\nContent-Type: text/plain; charset=utf-8\r\nA: 1\r\na: 2\r\n"
                + "Content-Length: 3\r\n\r\nné"
        ),
        (
            .json("[]", headers: ["content-type": "application/problem+json"]),
            "HTTP/1.1 200 OK\r\ncontent-type: application/problem+json\r\nContent-Length: 2\r\n\r\n[]"
        ),
        (.status(404), "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        (.status(299, body: "odd"), "HTTP/1.1 299 \r\nContent-Length: 3\r\n\r\nodd"),
        (
            .status(200, headers: ["content-length": "100"], body: "abc"),
            "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc"
        ),
        (.empty(), "HTTP/1.1 204 No Content\r\n\r\n"),
        (.empty(304), "HTTP/1.1 304 Not Modified\r\n\r\n"),
        (.empty(200), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        (
            .redirect(to: "file:///etc/passwd", status: 307),
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"
        ),
        (.empty().withHeader("ETag", "\"1\""), "HTTP/1.1 204 No Content\r\nETag: \"1\"\r\n\r\n"),
        (.raw("garbage"), "garbage"),
        (
            .chunked(["abc", "0123456789abcdef"], trailers: ["Sum": "1"]),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nSum: 1\r\n\r\n"
        ),
        (
            .repeating(Data("ab".utf8), count: 3),
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nababab"
        ),
        (
            [.interim(103, headers: ["Link": "</a>"]), .head(200), .bytes("x")],
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx"
        ),
        (LoopbackReply.raw("late").after(.bytes("early ")).then(.close, .bytes("never")), "early late"),
    ]

    @Test(arguments: replies)
    func `each reply is on the wire as documented`(reply: LoopbackReply, bytes: String) throws {
        #expect(String(decoding: try answer(with: reply), as: UTF8.self) == bytes)
    }

    @Test func `raw text can be sent as Latin-1`() throws {
        let reply = LoopbackReply.raw("HTTP/1.1 200 OK\r\nX: café\r\n\r\n", encoding: .isoLatin1)
        let bytes = try answer(with: reply)
        #expect(bytes == Data("HTTP/1.1 200 OK\r\nX: caf".utf8) + [0xE9] + Data("\r\n\r\n".utf8))
    }

    static let repliesToHead: [(LoopbackReply, String)] = [
        (LoopbackReply.json("{}"), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"),
        (.chunked(["abc"]), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        (.repeating(Data("ab".utf8), count: 3), "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"),
        (.raw("as it is"), "as it is"),
    ]

    @Test(arguments: repliesToHead)
    func `the answer to HEAD has no body, unless it is raw`(reply: LoopbackReply, bytes: String) throws {
        let answer = try answer(to: "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", with: reply)
        #expect(String(decoding: answer, as: UTF8.self) == bytes)
    }

    @Test(arguments: [1, 7, 65_536, 1_000_003])
    func `a repeated body arrives whole, whatever the size of its piece`(size: Int) throws {
        let piece = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let count = 3_000_000 / size
        let bytes = try answer(with: [.repeating(piece, count: count)])
        #expect(bytes.count == size * count)
        #expect(bytes.prefix(size) == piece)
        #expect(bytes.suffix(size) == piece)
    }

    @Test func `a large body given whole arrives whole`() throws {
        let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let bytes = try answer(with: .status(200, body: body))
        #expect(bytes.suffix(body.count) == body)
    }

    @Test func `a delay and a gate send what came before them`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer()
        server.handle { _ in [.bytes("a"), .delay(.milliseconds(1)), .bytes("b"), .wait(gate), .bytes("c"), .close] }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.read(through: "b") == "ab")
        await gate.arrival()
        gate.open()
        #expect(try client.readTextToEnd() == "c")
    }

    @Test func `a conversation reads and writes as it likes`() throws {
        let server = try LoopbackServer()
        server.handle("GET", "/echo") { _ in
            [
                .head(101, headers: ["Upgrade": "echo", "Connection": "Upgrade"]),
                .converse { stream in
                    while case let bytes = try stream.read(exactly: 3), bytes.count == 3 {
                        try stream.write(Data(bytes.reversed()))
                    }
                },
                .close,
            ]
        }
        let client = try RawClient(port: server.port)
        try client.send("GET /echo HTTP/1.1\r\nHost: x\r\n\r\nabcd")
        #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(try client.read(through: "cba") == "cba")
        try client.send("ef")
        client.finishSending()
        #expect(try client.readTextToEnd() == "fed")
    }
}
