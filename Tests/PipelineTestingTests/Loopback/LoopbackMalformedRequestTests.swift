import Foundation
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoopbackMalformedRequestTests {
    static let requests: [(String, String)] = [
        ("GET /\r\nHost: x\r\n\r\n", "the request line is not method, target and version between single spaces"),
        ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", "the request target is empty or has a space or a control character"),
        ("GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "the request target is empty or has a space or a control character"),
        ("G(T / HTTP/1.1\r\nHost: x\r\n\r\n", "the method is not a token"),
        ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", "the version is neither HTTP/1.1 nor HTTP/1.0"),
        ("GET / HTTP/1.1\nHost: x\n\n", "a line ends in a bare line feed"),
        ("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "the request line does not begin with a method"),
        ("\u{16}\u{3}\u{1}", "a TLS handshake came instead of a request"),
        ("GET / HTTP/1.1\r\n\r\n", "there must be one Host field, got 0"),
        ("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", "there must be one Host field, got 2"),
        ("GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n", "a field has no colon"),
        ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", "a field name is not a token"),
        ("GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n", "a field name is not a token"),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", "a field value has a control character"),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n", "a field value has a control character"),
        (
            "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
            "there is more than one Content-Length"
        ),
        ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\nx", "Content-Length is not a number"),
        ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", "Content-Length is not a number"),
        (
            "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "Content-Length and Transfer-Encoding exclude each other"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "the only transfer coding understood is chunked"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
            "a chunk size is not a hexadecimal number"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
            "a chunk is longer than its size says"
        ),
    ]

    @Test(arguments: requests)
    func `a request that breaks a rule is answered 400 with the rule`(bytes: String, reason: String) async throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        try client.send(bytes)
        let answer = try client.readTextToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains("Connection: close\r\n"))
        #expect(answer.hasSuffix(reason + "\n"))
        client.close()
        let connection = await server.nextClosedConnection()
        #expect(connection.ending == .malformedRequest(reason))
        #expect(connection.bytesReceived == Data(bytes.utf8))
        #expect(server.requests.isEmpty)
    }

    @Test func `a head without end is refused at a mebibyte`() throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 1024 * 1024))
        #expect(try client.readTextToEnd().contains("the head is larger than 1048576 bytes"))
    }
}
