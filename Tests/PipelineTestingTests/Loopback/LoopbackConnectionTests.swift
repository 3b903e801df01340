import Foundation
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoopbackConnectionTests {
    let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    func makeServer(_ reply: LoopbackReply = .text("hello")) throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.handle { _ in reply }
        return server
    }

    @Test func `a connection carries many requests and remembers its bytes`() async throws {
        let server = try makeServer()
        let client = try RawClient(port: server.port)
        for index in 0..<3 {
            try client.send(get)
            #expect(try client.read(through: "hello").hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(await server.nextRequest().index == index)
        }
        #expect(server.connections.count == 1)
        #expect(server.connections[0].ending == nil)
        #expect(server.openConnections == 1)
        client.close()
        let connection = await server.nextClosedConnection()
        #expect(connection.ending == .closedByClient)
        #expect(connection.textReceived == get + get + get)
        #expect(connection.requests.count == 3)
        #expect(server.openConnections == 0)
    }

    static let closing: [(String, LoopbackReply, String)] = [
        ("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", .text("hello"), "Connection: close\r\n"),
        ("GET / HTTP/1.1\r\nHost: x\r\nConnection: TE, Close\r\n\r\n", .text("hello"), "Connection: close\r\n"),
        ("GET / HTTP/1.0\r\n\r\n", .text("hello"), "Connection: close\r\n"),
        (
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            .text("hello").withHeader("connection", "close"), "Content-Length: 5\r\nconnection: close\r\n"
        ),
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", .text("hello").then(.close), "Content-Length: 5\r\n"),
    ]

    @Test(arguments: closing)
    func `a connection is closed where request, reply or step say so`(
        request: String,
        reply: LoopbackReply,
        lastField: String
    ) async throws {
        let server = try makeServer(reply)
        let client = try RawClient(port: server.port)
        try client.send(request)
        #expect(try client.readTextToEnd().hasSuffix("\(lastField)\r\nhello"))
        #expect(await server.nextClosedConnection().ending == .closedByServer)
    }

    static let keeping: [(String, LoopbackReply, String)] = [
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", .text("hello"), "Connection: keep-alive\r\n"),
        (
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            .text("hello").then(.keepOpen), "Content-Length: 5\r\n"
        ),
    ]

    @Test(arguments: keeping)
    func `a connection is kept where request or step ask for it`(
        request: String,
        reply: LoopbackReply,
        lastField: String
    ) throws {
        let server = try makeServer(reply)
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            try client.send(request)
            #expect(try client.read(through: "hello").hasSuffix("\(lastField)\r\nhello"))
        }
    }

    @Test func `a body can end too early`() throws {
        let server = try makeServer([.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .close])
        let client = try RawClient(port: server.port)
        try client.send(get)
        #expect(try client.readTextToEnd() == "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
    }

    @Test func `a reset is an error for the client`() async throws {
        let server = try makeServer([.reset])
        let client = try RawClient(port: server.port)
        try client.send(get)
        #expect(throws: POSIXError(.ECONNRESET)) { try client.readToEnd() }
        #expect(await server.nextClosedConnection().ending == .resetByServer)
    }

    @Test func `a client that resets is told from one that closes`() async throws {
        let server = try makeServer()
        let client = try RawClient(port: server.port)
        try client.send(get)
        _ = try client.read(through: "hello")
        client.reset()
        let connection = await server.nextClosedConnection()
        #expect(connection.ending == .resetByClient)
        #expect(connection.wasClosedByClient)
    }

    @Test(arguments: [LoopbackReply.never, [.delay(.seconds(3600))], .repeating(Data(count: 1_000_000), count: 10_000)])
    func `a client that leaves during the reply is noticed`(reply: LoopbackReply) async throws {
        let server = try makeServer(reply)
        let client = try RawClient(port: server.port)
        try client.send(get)
        _ = await server.nextRequest()
        client.close()
        #expect(await server.nextClosedConnection().wasClosedByClient)
    }

    @Test func `a client that leaves in the middle of a body leaves bytes but no request`() async throws {
        let server = try makeServer()
        let client = try RawClient(port: server.port)
        let part = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe"
        try client.send(part)
        client.close()
        let connection = await server.nextClosedConnection()
        #expect(connection.ending == .closedByClient)
        #expect(connection.textReceived == part)
        #expect(connection.requests.isEmpty)
    }

    @Test func `a conversation that throws ends the connection`() async throws {
        struct Enough: Error {}
        let server = try makeServer([.converse { _ in throw Enough() }])
        let client = try RawClient(port: server.port)
        try client.send(get)
        #expect(try client.readToEnd().isEmpty)
        #expect(await server.nextClosedConnection().ending == .conversationFailed("Enough()"))
    }
}
