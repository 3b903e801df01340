import Foundation
import PipelineTesting
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite(.timeLimit(.minutes(3)))
struct LoopbackServerTests {
    let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `it listens on either loopback address`() throws {
        for (address, host) in [(LoopbackServer.Address.ipv4, "127.0.0.1"), (.ipv6, "[::1]")] {
            let server = try LoopbackServer(address: address)
            #expect(server.url.absoluteString == "http://\(host):\(server.port)")
            #expect(server.url("/a?b=c").absoluteString == "http://\(host):\(server.port)/a?b=c")
            let client = try RawClient(port: server.port, ipv6: address == .ipv6)
            try client.send(get)
            #expect(try client.read(through: "\r\n").hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test func `stopping ends everything, and what was recorded stays`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer()
        server.handle("GET", "/") { _ in .text("x").after(.wait(gate)) }
        server.handle("GET", "/big") { _ in .repeating(Data(count: 1_000_000), count: 10_000) }
        server.handle("PUT", "/") { _ in .empty() }
        let idle = try RawClient(port: server.port)
        let waiting = try RawClient(port: server.port)
        let reading = try RawClient(port: server.port)
        let writing = try RawClient(port: server.port)
        try writing.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
        try reading.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = await server.nextRequest()
        try waiting.send(get)
        await gate.arrival()
        server.stop()
        server.stop()
        #expect(server.openConnections == 0)
        #expect(server.requests.map(\.path) == ["/big", "/"])
        #expect(server.connections.map(\.ending) == [.stopped, .stopped, .stopped, .stopped])
        #expect(try idle.readToEnd().isEmpty)
        #expect(throws: POSIXError(.ECONNREFUSED)) { try RawClient(port: server.port) }
        #expect(await server.nextRequest().path == "/")
        #expect(await server.nextRequest().method.isEmpty)
    }

    @Test func `a server that is let go stops`() async throws {
        var server: LoopbackServer? = try LoopbackServer()
        let port = try #require(server).port
        let client = try RawClient(port: port)
        server = nil
        #expect(throws: (any Error).self) { try RawClient(port: port) }
        _ = try? client.readToEnd()
    }

    @Test func `a handler may stop its own server`() async throws {
        let server = try LoopbackServer()
        server.handle { [weak server] _ in
            server?.stop()
            return .empty()
        }
        let client = try RawClient(port: server.port)
        try client.send(get)
        #expect(try client.readToEnd().isEmpty)
        #expect(throws: POSIXError(.ECONNREFUSED)) { try RawClient(port: server.port) }
    }

    /// A server whose port nobody takes when it has stopped: it is below those that the system gives to clients and servers.
    /// Each test has ports of its own, since they run at once.
    private static func serverAtQuietPort(of ports: Range<Int>, accepts: Bool = true) throws -> LoopbackServer {
        try #require(ports.lazy.compactMap { try? LoopbackServer(port: $0, accepts: accepts) }.first)
    }

    @Test func `a stopped server can come back at its port`() throws {
        let first = try Self.serverAtQuietPort(of: 20_000..<25_000)
        let client = try RawClient(port: first.port)
        first.stop()
        client.close()
        let second = try LoopbackServer(port: first.port)
        #expect(second.port == first.port)
        #expect(throws: LoopbackError.self) { try LoopbackServer(port: second.port) }
    }

    // In a process of its own, where nobody else has threads and descriptors.
    @Test func `many servers leave neither threads nor descriptors`() async {
        await ExitTestTurn.take {
            await #expect(processExitsWith: .success) {
                var usage: [Usage] = []
                for _ in 0..<3 {
                    for _ in 0..<50 {
                        let server = try LoopbackServer()
                        let both = LoopbackGate(opensAfter: 2)  // So that one of them waits, which takes a pipe.
                        server.handle { _ in .text("hello").after(.wait(both)) }
                        let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
                        for client in clients { try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
                        for client in clients { _ = try client.read(through: "hello") }
                        server.stop()
                    }
                    usage.append(try Usage())
                }
                // The runtime may start a few threads of its own meanwhile; a leak would be 50 a round.
                #expect(usage[2].threads - usage[0].threads < 10)
                #expect(usage[2].descriptors - usage[0].descriptors < 10)
            }
        }
    }

    @Test func `ended connections give their threads back while the server runs`() async throws {
        let server = try LoopbackServer(records: true)
        for _ in 0..<300 {
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            _ = try client.readToEnd()
            _ = await server.nextClosedConnection()
            #expect(server.openConnections == 0)
        }
    }

    @Test func `an unused port refuses connections`() throws {
        for address in [LoopbackServer.Address.ipv4, .ipv6] {
            let port = LoopbackServer.unusedPort(address)
            #expect(LoopbackServer.unusedPort(address) == port)
            #expect(throws: POSIXError(.ECONNREFUSED)) { try RawClient(port: port, ipv6: address == .ipv6) }
            #expect(throws: LoopbackError.self) { try LoopbackServer(address: address, port: port) }
        }
    }

    @Test func `a server that does not accept leaves a client hanging`() throws {
        let server = try Self.serverAtQuietPort(of: 25_000..<30_000, accepts: false)
        let descriptor = try RawClient.makeSocket()
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #expect(RawClient.connect(descriptor, port: server.port) == -1)
        #expect(errno == EINPROGRESS)
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        #expect(poll(&entry, 1, 100) == 0)
        server.stop()
        #expect(throws: POSIXError(.ECONNREFUSED)) { try RawClient(port: server.port) }
    }

    @Test func `without records nothing is kept`() throws {
        let server = try LoopbackServer(records: false)
        server.handle { .text($0.bodyText) }
        let client = try RawClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
        #expect(try client.read(through: "hello").hasSuffix("hello"))
        #expect(server.openConnections == 1)
        #expect(server.requests.isEmpty && server.connections.isEmpty)
    }

    @Test func `a cancelled wait returns a placeholder`() async throws {
        let server = try LoopbackServer()
        let request = Task { await server.nextRequest() }
        let connection = Task { await server.nextClosedConnection() }
        request.cancel()
        connection.cancel()
        #expect(await request.value.method.isEmpty)
        #expect(await connection.value.ending == nil)
    }

    @Test func `requests are handed out in order, each once`() async throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        async let first = server.nextRequest()
        async let second = server.nextRequest()
        for number in 0..<4 { try client.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n") }
        let early = await [first.path, second.path]
        #expect(Set(early).count == 2)
        let late = await [server.nextRequest().path, server.nextRequest().path]
        #expect(Set(early + late) == ["/0", "/1", "/2", "/3"])
        #expect(server.requests.map(\.path) == ["/0", "/1", "/2", "/3"])
    }

    @Test func `hundreds of connections are served at once`() async throws {
        let server = try LoopbackServer()
        server.handle { .text("<\($0.path)>") }
        let clients = try (0..<220).map { _ in try RawClient(port: server.port) }
        for round in 0..<3 {
            for (index, client) in clients.enumerated() {
                try client.send("GET /\(round)/\(index) HTTP/1.1\r\nHost: x\r\n\r\n")
            }
            for (index, client) in clients.enumerated() {
                #expect(try client.read(through: ">").hasSuffix("</\(round)/\(index)>"))
            }
        }
        #expect(server.openConnections == 220)
        #expect(server.requests.count == 660)
    }
}

/// What the process holds of the system's goods.
private struct Usage {
    let threads: Int
    let descriptors: Int

    init() throws {
        #if os(Linux)
            threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #else
            threads = 0
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
        #endif
    }
}
