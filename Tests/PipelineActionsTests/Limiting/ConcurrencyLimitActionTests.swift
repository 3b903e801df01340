import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct ConcurrencyLimitActionTests: ConcurrencyLimitSuite {
    let stage = ConcurrencyLimitStage()

    @Test func `lets so many through, and each that ends lets one more`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 2)
        let network = network(limit)
        async let one = network.send(request("1"))
        let first = await server.nextExchange()
        async let two = network.send(request("2"))
        let second = await server.nextExchange()
        let third = await line(request("3"), on: network)
        #expect(limit.permitsTaken == 2 && limit.waiting == 1 && server.pendingExchanges == 0)

        second.respond()
        let last = await server.nextExchange()
        #expect(last.request.url.path == "/3")
        first.respond()
        last.respond()

        _ = try await (one, two, third.value)
        #expect(limit.permitsTaken == 0 && limit.waiting == 0)
    }

    @Test func `lets them go by priority, then by the start of the send`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let network = network(limit)
        async let first = network.send(request("first"))
        var exchange = await server.nextExchange()
        var tasks: [Task<Int, any Error>] = []
        for (path, priority) in [("low", TaskPriority.low), ("b", .medium), ("c", .medium), ("high", .high)] {
            tasks.append(await line(request(path, priority: priority), on: network))
        }
        var order: [String] = []
        for _ in tasks {
            exchange.respond()
            exchange = await server.nextExchange()
            order.append(exchange.request.url.path)
        }
        exchange.respond()

        #expect(order == ["/high", "/b", "/c", "/low"])
        _ = try await first
        for task in tasks { _ = try await task.value }
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a full host holds up nobody who wants to go elsewhere`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: nil, perHost: 1)
        let network = network(limit)
        async let first = network.send(request("1"))
        let one = await server.nextExchange()
        let second = await line(request("2"), on: network)
        async let other = network.send(request("3", host: "other.test"))
        let three = await server.nextExchange()
        #expect(three.request.url.path == "/3")

        three.respond()
        one.respond()
        await server.nextExchange().respond()
        _ = try await (first, other, second.value)
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a waiter that is cancelled leaves at once`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let network = network(limit)
        async let first = network.send(request("1"))
        let one = await server.nextExchange()
        let second = await line(request("2"), on: network)

        second.cancel()
        let error = await #expect(throws: NetworkError.self) { try await second.value }
        #expect(error?.code == .cancelled)
        #expect(error?.reach == .no)
        #expect(limit.permitsTaken == 1 && limit.waiting == 0)

        one.respond()
        _ = try await first
        #expect(limit.permitsTaken == 0)
        #expect(server.pendingExchanges == 0)
    }

    @Test func `the total time limit ends a wait`() async throws {
        let clock = ManualClock(keepsTimeLimits: true)
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let configuration = NetworkConfiguration(time: clock, monitors: [notes])
        let network = Network(actions: [limit], transport: server, configuration: configuration)
        var long = request("1")
        long.timeLimits = TimeLimits(total: .seconds(1000))
        var short = request("2")
        short.timeLimits = TimeLimits(total: .seconds(5))
        async let first = network.send(long)
        let one = await server.nextExchange()
        let second = await line(short, on: network)

        clock.advance(by: .seconds(5))
        let error = await #expect(throws: NetworkError.self) { try await second.value }
        #expect(error?.code == .timedOut)
        #expect(limit.waiting == 0)
        one.respond()
        _ = try await first
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a request can be exempt, by name too`() async throws {
        let network = network(.concurrencyLimit(1))
        async let first = network.send(request("1"))
        let one = await server.nextExchange()
        var exempt = request("2")
        exempt.customProperties = ["ignoresConcurrencyLimit": true]
        #expect(exempt.ignoresConcurrencyLimit)
        async let second = network.send(exempt)
        await server.nextExchange().respond()
        one.respond()
        _ = try await (first, second)
    }

    @Test func `keeps the rules of actions`() async {
        #expect(
            await ActionConformance.violations { ConcurrencyLimitAction(maximumConcurrentRequests: 50) }.isEmpty
        )
    }

    // MARK: Many at once

    @Test func `five thousand sends with random cancels leave no permit taken`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 16, perHost: 6, overtakingLimit: 5)
        let transport = CountingTransport()
        let network = Network(actions: [RetryingOnce(), limit], transport: transport)
        var generator = SeededGenerator(seed: 3)
        let priorities: [TaskPriority?] = [nil, .low, .high]
        let tasks = (0..<5000).map { number in
            let delivery: BodyDelivery = number % 3 == 0 ? .stream : .gathered
            let request = request(
                "\(number % 7)",
                host: "\(number % 4).test",
                priority: priorities[number % 3],
                delivery: delivery
            )
            return Task { () -> Bool in
                guard let response = try? await network.send(request) else { return false }
                return (try? await response.body.collect()) != nil
            }
        }
        for task in tasks where Int.random(in: 0..<3, using: &generator) == 0 { task.cancel() }
        var succeeded = 0
        for task in tasks where await task.value { succeeded += 1 }

        #expect((1000..<5000).contains(succeeded))
        #expect(limit.permitsTaken == 0 && limit.waiting == 0)
        #expect((2...16).contains(transport.highest))
    }
}

/// A transport that counts who is there at once, answers from another task, and fails a part of its attempts.
private final class CountingTransport: Transport {
    let capabilities: TransportCapabilities = []
    private let state = Locked((running: 0, highest: 0, count: 0))

    var highest: Int { state.withLock { $0.highest } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let number = state.withLock { state in
            state.running += 1
            state.count += 1
            state.highest = max(state.highest, state.running)
            return state.count
        }
        defer { state.withLock { $0.running -= 1 } }
        let pipe = BodyPipe()
        Task.detached {
            pipe.write(Data("body".utf8))
            pipe.finish()
        }
        await Task.detached {}.value
        if number % 11 == 0 { throw NetworkError(.connectionLost) }
        return NetworkResponse(status: number % 7 == 0 ? 503 : 200, body: .stream(BodyStream(pipe)), request: request)
    }
}
