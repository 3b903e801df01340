import Foundation
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoopbackGateTests {
    let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `a gate holds every connection until it is opened`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer()
        server.handle { _ in .text("through").after(.wait(gate)) }
        let clients = try (0..<5).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.send(request) }
        await gate.arrival(5)
        #expect(gate.arrivals == 5)
        #expect(!gate.isOpen)
        gate.open()
        for client in clients { #expect(try client.read(through: "through").hasSuffix("through")) }
    }

    @Test func `an open gate holds nobody`() throws {
        let gate = LoopbackGate()
        gate.open()
        gate.open()
        let server = try LoopbackServer()
        server.handle { _ in .text("through").after(.wait(gate)) }
        let client = try RawClient(port: server.port)
        try client.send(request)
        #expect(try client.read(through: "through").hasSuffix("through"))
    }

    @Test(arguments: [1, 2, 100])
    func `a barrier opens when the last party has come`(count: Int) async throws {
        let gate = LoopbackGate(opensAfter: count)
        let server = try LoopbackServer()
        server.handle { _ in .text("through").after(.wait(gate)) }
        let clients = try (0..<count).map { _ in try RawClient(port: server.port) }
        for client in clients.dropLast() { try client.send(request) }
        await gate.arrival(count - 1)
        #expect(!gate.isOpen)
        try clients[count - 1].send(request)
        for client in clients { #expect(try client.read(through: "through").hasSuffix("through")) }
        #expect(gate.isOpen)
    }

    @Test func `a client that leaves the gate is gone`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer()
        server.handle { _ in .text("through").after(.wait(gate)) }
        let client = try RawClient(port: server.port)
        try client.send(request)
        await gate.arrival()
        client.close()
        #expect(await server.nextClosedConnection().wasClosedByClient)
        #expect(server.openConnections == 0)
    }

    @Test func `a cancelled task waits no longer for arrivals`() async throws {
        let gate = LoopbackGate()
        let waiting = Task { await gate.arrival() }
        waiting.cancel()
        await waiting.value
        #expect(gate.arrivals == 0)
    }
}
