import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct ConcurrencyLimitActionTests {
    private let server = ConversationTransport()
    private let notes = NoteWatch()

    private func network(_ actions: any Action...) -> Network {
        Network(
            actions: actions,
            transport: server,
            configuration: NetworkConfiguration(time: ManualClock(), monitors: [notes])
        )
    }

    private func request(
        _ path: String,
        host: String = "api.test",
        priority: TaskPriority? = nil,
        delivery: BodyDelivery = .gathered
    ) -> NetworkRequest {
        var request = NetworkRequest(url: URL(string: "https://\(host)/\(path)")!, delivery: delivery)
        request.priority = priority
        return request
    }

    /// Begins a send and waits until it stands in line.
    private func line(_ request: NetworkRequest, on network: Network) async -> Task<Int, any Error> {
        let task = Task { try await network.send(request).status.code }
        await notes.next(with: "waits for a permit")
        return task
    }

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

    // MARK: When a permit goes back

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

    // MARK: Sends on behalf of sends

    @Test func `a send made for a send rides on its permit, also through a retry of its own`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1, perHost: 1)
        let network = network(RetryingOnce(), limit, AskingAction())
        async let response = network.send(request("outer"))
        let inner = await server.nextExchange()
        #expect(inner.request.url.path == "/inner")
        inner.respond(status: 503)
        await server.nextExchange().respond()
        let outer = await server.nextExchange()
        #expect(outer.request.url.path == "/outer")
        #expect(limit.permitsTaken == 1)
        outer.respond()
        _ = try await response
        #expect(limit.permitsTaken == 0)
    }

    @Test func `who rides goes on riding when the one who carries is gone`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let asking = DetachedAskingAction()
        let network = network(RetryingOnce(), limit, asking)
        let outer = Task { [request = request("outer")] in try await network.send(request) }
        let inner = await server.nextExchange()
        #expect(inner.request.url.path == "/inner")
        outer.cancel()
        _ = await outer.result
        async let other = network.send(request("other"))
        let holder = await server.nextExchange()
        #expect(limit.permitsTaken == 1)

        // Others may wait for it; so it must not wait for them.
        inner.respond(status: 503)
        let again = await server.nextExchange()
        #expect(again.request.url.path == "/inner")
        again.respond()
        await asking.answered.valueOrCancellation()
        holder.respond()
        _ = try await other
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a send made for one that has no permit takes its own`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let network = network(AskingAction(), limit)
        async let response = network.send(request("outer"))
        let inner = await server.nextExchange()
        #expect(limit.permitsTaken == 1)
        inner.respond()
        await server.nextExchange().respond()
        _ = try await response
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a limit that stands in the list twice does not wait for itself`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        async let response = network(limit, limit).send(request("1"))
        await server.nextExchange().respond()
        _ = try await response
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

/// Asks for one retry of what is not available.
private struct RetryingOnce: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 && request.pass == 1 ? .retry(after: .zero) : .deliver(response)
    }
}

private struct FailingAction: RequestWillBeginAction {
    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        throw NetworkError(.actionFailed)
    }
}

/// Sends a request of its own first.
private struct AskingAction: RequestWillBeginAction {
    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let network = try request.context.network(removing: AskingAction.self)
        _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test/inner")!))
        return .proceed(request)
    }
}

/// Begins a send of its own for the first request, which does not end with it, and waits for that.
private final class DetachedAskingAction: RequestWillBeginAction {
    let answered = OneShot<Void>()
    private let hasAsked = Locked(false)

    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let isFirst = hasAsked.withLock { hasAsked in
            defer { hasAsked = true }
            return !hasAsked
        }
        guard isFirst else { return .proceed(request) }
        let network = try request.context.network(removing: DetachedAskingAction.self)
        Task {
            _ = try? await network.send(NetworkRequest(url: URL(string: "https://api.test/inner")!))
            answered.resolve(())
        }
        let wait = OneShot<Void>()
        await withTaskCancellationHandler {
            await wait.value()
        } onCancel: {
            wait.resolve(())
        }
        throw CancellationError()
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
