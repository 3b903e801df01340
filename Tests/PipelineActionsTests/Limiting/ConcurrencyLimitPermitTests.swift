import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// When a permit goes back.
@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct ConcurrencyLimitPermitTests: ConcurrencyLimitSuite {
    let stage = ConcurrencyLimitStage()

    @Test func `a stream keeps its permit to the end`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let network = network(limit)
        async let streaming = network.send(request("1", delivery: .stream))
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await streaming
        let second = await line(request("2"), on: network)
        #expect(limit.permitsTaken == 1)

        pipe.write(Data("all".utf8))
        pipe.finish()
        #expect(try await response.body.collect() == Data("all".utf8))
        await server.nextExchange().respond()
        _ = try await second.value
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a stream that nobody reads gives its permit back`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let network = network(limit)
        let streaming = Task { _ = try await network.send(request("1", delivery: .stream)) }
        let exchange = await server.nextExchange()
        let second = await line(request("2"), on: network)
        let pipe = exchange.respondStreaming()

        try await streaming.value
        await server.nextExchange().respond()
        _ = try await second.value
        pipe.finish()
        #expect(limit.permitsTaken == 0)
    }

    @Test(arguments: ["answer", "fail", "fail further in", "cancel", "status"])
    func `whatever happens, the permit goes back`(end: String) async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let network = end == "fail further in" ? network(limit, FailingAction()) : network(limit)
        let task = Task { [request = request("1")] in await network.result(of: request) }
        if end != "fail further in" {
            let exchange = await server.nextExchange()
            #expect(limit.permitsTaken == 1)
            switch end {
            case "answer": exchange.respond()
            case "status": exchange.respond(status: 500)
            case "cancel": task.cancel()
            default: exchange.fail(NetworkError(.connectionLost))
            }
        }
        _ = await task.value
        #expect(limit.permitsTaken == 0)
    }

    @Test func `each pass and each hop takes a permit of its own`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1, perHost: 1)
        let network = network(RetryingOnce(), limit)
        async let response = network.send(request("1"))
        await server.nextExchange().respond(status: 503)
        #expect(await server.nextExchange().request.url.path == "/1")
        #expect(limit.permitsTaken == 1)
        network.cancelAll()
        _ = try? await response
        #expect(limit.permitsTaken == 0)

        async let redirected = network.send(request("2"))
        let location: HTTPHeaders = [.location: "https://other.test/3"]
        await server.nextExchange().respond(status: 302, headers: location)
        let hop = await server.nextExchange()
        #expect(hop.request.url.host == "other.test")
        #expect(limit.permitsTaken == 1)
        hop.respond()
        _ = try await redirected
        #expect(limit.permitsTaken == 0)
    }

    @Test func `an older send goes before younger ones when it is retried`() async throws {
        let network = network(RetryingOnce(), ConcurrencyLimitAction(maximumConcurrentRequests: 1))
        async let first = network.send(request("first"))
        let exchange = await server.nextExchange()
        let second = await line(request("second"), on: network)
        let third = await line(request("third"), on: network)

        exchange.respond(status: 503)
        let next = await server.nextExchange()
        #expect(next.request.url.path == "/second")
        await notes.next(with: "waits for a permit")
        next.respond()
        let retried = await server.nextExchange()
        #expect(retried.request.url.path == "/first")
        retried.respond()
        await server.nextExchange().respond()
        _ = try await (first, second.value, third.value)
    }
}

private struct FailingAction: RequestWillBeginAction {
    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        throw NetworkError(.actionFailed)
    }
}
