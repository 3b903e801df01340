import Foundation
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoopbackRequestTests {
    /// The request that a server makes of these bytes.
    func request(from text: String) async throws -> LoopbackRequest {
        try await request(from: Data(text.utf8))
    }

    func request(from bytes: Data) async throws -> LoopbackRequest {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        try client.send(bytes)
        return await server.nextRequest()
    }

    static let targets: [(String, String, String?)] = [
        ("/", "/", nil),
        ("/a%20b/c?x=%201&y", "/a b/c", "x=%201&y"),
        ("/caf%C3%A9?", "/café", ""),
        ("/100%", "/100%", nil),
        ("/a?b?c", "/a", "b?c"),
        ("http://example.com:8080/a/b?c", "/a/b", "c"),
        ("http://example.com", "/", nil),
        ("http://example.com?q=/x", "/", "q=/x"),
        ("/redirect?to=http://a/b", "/redirect", "to=http://a/b"),
        ("*", "*", nil),
        ("example.com:443", "example.com:443", nil),
    ]

    @Test(arguments: targets)
    func `the target is kept, path and query are taken from it`(
        target: String,
        path: String,
        query: String?
    ) async throws {
        let request = try await request(from: "OPTIONS \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(request.method == "OPTIONS")
        #expect(request.target == target)
        #expect(request.path == path)
        #expect(request.query == query)
    }

    @Test func `fields keep order and spelling, and are found in any case`() async throws {
        let request = try await request(from: "GET / HTTP/1.1\r\nHOST:x\r\nX-a: 1 \r\nx-A:\t2\r\nEmpty:\r\n\r\n")
        #expect(request.headers.map(\.name) == ["HOST", "X-a", "x-A", "Empty"])
        #expect(request.headers.map(\.value) == ["x", "1", "2", ""])
        #expect(request.values(of: "x-a") == ["1", "2"])
        #expect(request.first(of: "X-A") == "1")
        #expect(request.first(of: "X-B") == nil)
    }

    @Test func `a field value is read as UTF-8, else as Latin-1`() async throws {
        let start = Data("GET / HTTP/1.1\r\nHost: x\r\nA: café\r\nB: caf".utf8)
        let request = try await request(from: start + [0xE9] + Data("\r\n\r\n".utf8))
        #expect(request.first(of: "a") == "café")
        #expect(request.first(of: "b") == "café")
    }

    @Test func `a body is as long as Content-Length says`() async throws {
        let request = try await request(from: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
        #expect(request.bodyText == "hello")
        #expect(request.bodyByteCount == 5)
        #expect(!request.isChunked)
    }

    @Test func `a chunked body is decoded, with its trailers`() async throws {
        let request = try await request(
            from: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "5;ext=1\r\nhello\r\nC\r\n, wide world\r\n0\r\nSum: 1\r\nsum: 2\r\n\r\n"
        )
        #expect(request.bodyText == "hello, wide world")
        #expect(request.isChunked)
        #expect(request.trailers.map(\.name) == ["Sum", "sum"])
        #expect(request.trailers.map(\.value) == ["1", "2"])
    }

    @Test func `a request that comes byte by byte is the same`() async throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        let text = "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nT: 1\r\n\r\n"
        for byte in text.utf8 { try client.send(Data([byte])) }
        let request = await server.nextRequest()
        #expect(request.bodyText == "ab")
        #expect(request.trailers.map(\.value) == ["1"])
        #expect(server.connections[0].textReceived == text)
    }

    @Test func `large heads and bodies are read whole`() async throws {
        let value = String(repeating: "v", count: 300_000)
        let body = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
        let head = "POST / HTTP/1.1\r\nHost: x\r\nBig: \(value)\r\nContent-Length: \(body.count)\r\n\r\n"
        let request = try await request(from: Data(head.utf8) + body)
        #expect(request.first(of: "big") == value)
        #expect(request.body == body)
    }

    @Test func `pipelined requests are answered in order`() async throws {
        let server = try LoopbackServer()
        server.handle { .text($0.path + $0.bodyText) }
        let client = try RawClient(port: server.port)
        try client.send(
            "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPUT /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n!"
                + "GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        let text = try client.readTextToEnd()
        #expect(text.contains("\r\n\r\n/1HTTP/1.1 200 OK") && text.contains("\r\n\r\n/2!HTTP") && text.hasSuffix("/3"))
        #expect(server.requests.map(\.index) == [0, 1, 2])
        #expect(Set(server.requests.map(\.connectionID)) == [1])
    }
}
