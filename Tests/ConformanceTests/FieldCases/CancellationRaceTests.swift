import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B40: however cancellation and answer meet, a send ends once and soon, and nothing of it stays.
@Suite(.timeLimit(.minutes(3)))
struct CancellationRaceTests {
    private let server: LoopbackServer
    private let network = Network(actions: [], transport: URLSessionTransport())

    init() throws {
        server = try LoopbackServer()
        server.handle("GET", "/tiny") { _ in .text("tiny").after(.delay(.milliseconds(10))) }
    }

    @Test func `3200 sends cancelled about when their answers land end once each`() async throws {
        let log = EventLog()
        for _ in 0..<50 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask { [self] in
                        let request = NetworkRequest(url: server.url("/tiny"))
                        let task = Task { await network.result(of: request) }
                        let pause = Duration.microseconds(number * 15_000 / 64)
                        let limit = SystemTime.shared.startLimit(of: pause) { task.cancel() }
                        let result = await task.value
                        limit?.lift()
                        log.append(result.summary)
                    }
                }
            }
        }

        #expect(log.lines.count == 3200)
        #expect(Set(log.lines).isSubset(of: ["200", "cancelled"]))
        #expect(network.inFlight.isEmpty)
    }

    @Test func `cancelling twice is cancelling once`() async throws {
        let server = try LoopbackServer()
        server.handle { _ in .never }
        let (results, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let handle = network.send(NetworkRequest(url: server.url), on: .global()) { continuation.yield($0) }
        _ = await server.nextRequest()
        handle.cancel()
        handle.cancel()
        var iterator = results.makeAsyncIterator()
        let first = await iterator.next()

        #expect(first?.summary == "cancelled")
        #expect(await server.nextClosedConnection().wasClosedByClient)
        continuation.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func `a send that is cancelled before it starts sends nothing`() async throws {
        let task = Task { [network, server] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await network.result(of: NetworkRequest(url: server.url("/tiny")))
        }

        #expect(await task.value.summary == "cancelled")
        #expect(server.requests.isEmpty)
    }
}
