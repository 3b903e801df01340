import Foundation
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoopbackHeadHandlerTests {
    let head = "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"

    func makeServer() throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.handle("POST", "/up") { .text("got \($0.bodyByteCount)") }
        return server
    }

    @Test func `a client that expects to be told to continue is told`() throws {
        let server = try makeServer()
        let client = try RawClient(port: server.port)
        try client.send(head + "Expect: 100-continue\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("hello")
        #expect(try client.read(through: "got 5").hasSuffix("\r\n\r\ngot 5"))
    }

    @Test func `steps before the body replace the automatic one`() throws {
        let server = try makeServer()
        server.handleHead("POST", "/:what") { head in
            .readBody(after: [.interim(103, headers: ["What": head.parameters["what"]!])])
        }
        let client = try RawClient(port: server.port)
        try client.send(head + "Expect: 100-continue\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 103 Early Hints\r\nWhat: up\r\n\r\n")
        try client.send("hello")
        #expect(try client.read(through: "got 5").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `an early answer comes before the body and closes the connection`() async throws {
        let server = try makeServer()
        server.handleHead("POST", "/up") { _ in .reply(.status(413)) }
        let client = try RawClient(port: server.port)
        try client.send(head + "\r\n")
        let answer = try client.readTextToEnd()
        #expect(answer == "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        let request = await server.nextRequest()
        #expect(request.hasUnreadBody && request.body.isEmpty)
        try client.send("he")  // Taken and dropped, so that nothing resets the connection.
        client.close()
        let connection = await server.nextClosedConnection()
        #expect(connection.ending == .closedByServer)
        #expect(connection.textReceived == head + "\r\nhe")
    }

    @Test func `an early answer that keeps the connection reads the body before the next request`() throws {
        let server = try makeServer()
        server.handleHead("POST", "/up") { _ in .reply(.empty(401).then(.keepOpen)) }
        let client = try RawClient(port: server.port)
        try client.send(head + "\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
        try client.send("helloGET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.read(through: "\r\n").hasPrefix("HTTP/1.1 404"))
    }

    @Test func `a refused request can be reset`() async throws {
        let server = try makeServer()
        server.handleHead(nil, "/up") { _ in .reply([.reset]) }
        let client = try RawClient(port: server.port)
        try client.send(head + "\r\n")
        #expect(throws: POSIXError(.ECONNRESET)) { try client.readToEnd() }
        #expect(await server.nextClosedConnection().ending == .resetByServer)
    }

    @Test func `a dropped body is counted and recorded nowhere`() async throws {
        let server = try makeServer()
        server.handleHead("POST", "/up") { _ in .readBody(after: [.interim(100)], keepsBody: false) }
        let client = try RawClient(port: server.port)
        try client.send(head + "\r\n")
        _ = try client.read(through: "\r\n\r\n")
        try client.send("hello")
        #expect(try client.read(through: "got 5").hasSuffix("got 5"))
        #expect(await server.nextRequest().body.isEmpty)
        #expect(server.connections[0].textReceived == head + "\r\n")
    }

    @Test func `a gate holds the server from reading a body`() async throws {
        let gate = LoopbackGate()
        let server = try makeServer()
        server.handle("POST", "/up", reading: .gated(gate)) { .text("got \($0.bodyByteCount)") }
        let body = Data(count: 64 * 1024 * 1024)
        let client = try RawClient(port: server.port)
        try client.send("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n")
        await gate.arrival()
        var sent = 0
        while case let count = client.sendWithoutWaiting(body[sent...]), count > 0 { sent += count }
        #expect(sent < body.count / 2)
        #expect(server.requests.isEmpty)
        gate.open()
        try client.send(body[sent...])
        #expect(try client.read(through: "got \(body.count)").hasSuffix("got \(body.count)"))
    }

    @Test func `a paced server takes its time`() async throws {
        let server = try LoopbackServer(reading: .paced(bytes: 2, every: .milliseconds(5)))
        let client = try RawClient(port: server.port)
        let start = ContinuousClock.now
        try client.send(head + "\r\nhello")
        #expect(await server.nextRequest().bodyText == "hello")
        #expect(ContinuousClock.now - start >= .milliseconds(10))
    }
}
