import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Streams through real connections.
@Suite(.timeLimit(.minutes(3)))
struct StreamOverSocketsTests {
    @Test(arguments: TransportKind.allCases)
    func `the head comes before the body, and each line when it is sent`(kind: TransportKind) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gates = [LoopbackGate(), LoopbackGate()]
        server.handle("GET", "/log") { _ in
            [
                .head(200, headers: ["Transfer-Encoding": "chunked"]), .wait(gates[0]), .chunk("{\"name\":"),
                .chunk("\"Ada\"}\r"), .wait(gates[1]), .chunk("\n{\"name\":\"Bob\"}"), .lastChunk,
            ]
        }
        let response = try await Network(transport: kind.transport).stream(NetworkRequest(url: server.url("/log")))
        var users = response.jsonLines(of: User.self).makeAsyncIterator()

        gates[0].open()
        #expect(try await users.next() == User(name: "Ada"))
        gates[1].open()
        #expect(try await users.next() == User(name: "Bob"))
        #expect(try await users.next() == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `a body that is cut off is an error behind its last line`(kind: TransportKind) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.handle("GET", "/log") { _ in
            [.head(200, headers: ["Content-Length": "100"]), .bytes("one\ntw"), .close]
        }
        var lines = try await Network(transport: kind.transport).stream(NetworkRequest(url: server.url("/log"))).lines()
            .makeAsyncIterator()

        #expect(try await lines.next() == "one")
        let error = await #expect(throws: NetworkError.self) { try await lines.next() }
        #expect(error?.code == .truncated)
        #expect(try await lines.next() == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `a reader that stops reading stops the transfer, and one that is let go of ends it`(kind: TransportKind)
        async throws
    {
        let server = try LoopbackServer()
        defer { server.stop() }
        let behind = LoopbackGate()
        let megabyte = Data(String(repeating: String(repeating: "x", count: 1023) + "\n", count: 1024))
        server.handle("GET", "/log") { _ in
            [.head(200), .repeating(megabyte, count: 256), .wait(behind), .close]
        }
        let response = try await Network(transport: kind.transport).stream(NetworkRequest(url: server.url("/log")))
        for try await line in response.lines() {
            #expect(line.utf8.count == 1023)
            break
        }

        #expect(await server.nextClosedConnection().wasClosedByClient)
        // Where nothing slows the server down (a session on Linux), it is chance how much it has sent by then.
        #expect(behind.arrivals == 0 || kind.transport?.capabilities.contains(.backPressure) == false)
    }
}
