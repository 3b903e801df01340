import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RateLimitActionTests {
    private let clock = ManualClock(date: Date(timeIntervalSince1970: 784_111_777))
    private let server = ConversationTransport()
    private let notes = NoteWatch()

    private func network(_ actions: any Action...) -> Network {
        Network(
            actions: actions,
            transport: server,
            configuration: NetworkConfiguration(time: clock, monitors: [notes])
        )
    }

    private func request(_ path: String, host: String = "api.test", priority: TaskPriority? = nil) -> NetworkRequest {
        var request = NetworkRequest(url: URL(string: "https://\(host)/\(path)")!)
        request.priority = priority
        return request
    }

    private func send(_ path: String, on network: Network, priority: TaskPriority? = nil) -> Task<Int, any Error> {
        let request = request(path, priority: priority)
        return Task { try await network.send(request).status.code }
    }

    private func line(_ path: String, on network: Network, priority: TaskPriority? = nil) async -> Task<Int, any Error>
    {
        let task = send(path, on: network, priority: priority)
        await notes.next(with: "waits about")
        return task
    }

    private func answer(_ headers: HTTPHeaders = [:], status: HTTPStatus = 200) async -> String {
        let exchange = await server.nextExchange()
        exchange.respond(status: status, headers: headers)
        return exchange.request.url.path
    }

    @Test func `sends a burst, then at its pace`() async throws {
        let network = network(.rateLimit(.perSecond(2)))
        var tasks = [send("1", on: network), send("2", on: network)]
        for _ in tasks { _ = await answer() }
        for path in ["3", "4"] { tasks.append(await line(path, on: network)) }

        for path in ["/3", "/4"] {
            let pause = await clock.nextPauseWithPurpose()
            #expect(pause.duration == .milliseconds(500))
            #expect(pause.purpose.rawValue == "rate-limit")
            #expect(server.pendingExchanges == 0)
            clock.advance(by: pause.duration)
            #expect(await answer() == path)
        }
        for task in tasks { #expect(try await task.value == 200) }
    }

    @Test func `each origin has a pace of its own`() async throws {
        let network = network(.rateLimit(.perSecond(1)))
        for host in ["a.test", "b.test"] {
            async let response = network.send(request("", host: host))
            _ = await answer()
            _ = try await response
        }
    }

    @Test func `a key of one's own`() async throws {
        var policy = RateLimitPolicy(.perSecond(1))
        policy.key = { $0.url.path == "/free" ? nil : "all" }
        let network = network(RateLimitAction(policy))
        let one = send("1", on: network)
        _ = await answer()
        let two = await line("2", on: network)
        let free = send("free", on: network)
        #expect(await answer() == "/free")
        clock.advance(by: await clock.nextPause())
        _ = await answer()
        for task in [one, two, free] { _ = try await task.value }
    }

    @Test func `goes by priority, then by the start of the send`() async throws {
        let action = RateLimitAction(.perSecond(1))
        let network = network(action)
        var tasks = [send("1", on: network)]
        _ = await answer()
        for (path, priority) in [("low", TaskPriority.low), ("a", .medium), ("b", .medium), ("high", .high)] {
            tasks.append(await line(path, on: network, priority: priority))
        }
        #expect(action.waiting == 4)
        var order: [String] = []
        for _ in 0..<4 {
            clock.advance(by: await clock.nextPause())
            order.append(await answer())
        }
        #expect(order == ["/high", "/a", "/b", "/low"])
        for task in tasks { _ = try await task.value }
        #expect(action.waiting == 0)
    }

    @Test(arguments: [0, 1, 2])
    func `who is cancelled leaves the line, and the others keep the pace`(cancelled: Int) async throws {
        let action = RateLimitAction(.perSecond(1))
        let network = network(action)
        let first = send("1", on: network)
        _ = await answer()
        var tasks: [Task<Int, any Error>] = []
        for path in ["a", "b", "c"] { tasks.append(await line(path, on: network)) }
        #expect(await clock.nextPause() == .seconds(1))

        tasks[cancelled].cancel()
        let error = await #expect(throws: NetworkError.self) { try await tasks[cancelled].value }
        #expect(error?.code == .cancelled)
        #expect(error?.reach == .no)
        #expect(action.waiting == 2)
        // The one who watched the clock hands that on.
        if cancelled == 0 { #expect(await clock.nextPause() == .seconds(1)) }
        let rest = ["/a", "/b", "/c"].enumerated().filter { $0.offset != cancelled }.map(\.element)
        clock.advance(by: .seconds(1))
        #expect(await answer() == rest[0])
        #expect(await clock.nextPause() == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(await answer() == rest[1])
        _ = try await first.value
        for (index, task) in tasks.enumerated() where index != cancelled { _ = try await task.value }
    }

    @Test func `a pause that outlasts the deadline fails at once`() async throws {
        let network = network(.rateLimit(.perMinute(1)))
        let first = send("1", on: network)
        _ = await answer()
        _ = try await first.value

        var late = request("2")
        late.timeLimits = TimeLimits(total: .seconds(60))
        let error = await #expect(throws: NetworkError.self) { try await network.send(late) }
        #expect(error?.code == .rateLimited)
        #expect(error?.category == .action)
        #expect(error?.reach == .no)
        let exceeded = try #require(error?.underlying as? RateLimitExceeded)
        #expect((exceeded.key, exceeded.pause) == ("https://api.test", .seconds(60)))
        #expect(error?.description.contains("would outlast") == true)

        late.timeLimits = TimeLimits(total: .seconds(61))
        async let response = network.send(late)
        clock.advance(by: await clock.nextPause())
        _ = await answer()
        _ = try await response
    }

    @Test func `fails instead of waiting where it is told to`() async throws {
        var policy = RateLimitPolicy(.perSecond(1))
        policy.excess = .fails
        let network = network(RateLimitAction(policy))
        let first = send("1", on: network)
        _ = await answer()
        _ = try await first.value

        let error = await #expect(throws: NetworkError.self) { try await network.send(request("2")) }
        #expect(error?.code == .rateLimited)
        clock.advance(by: .seconds(1))
        let third = send("3", on: network)
        _ = await answer()
        _ = try await third.value
    }

    // MARK: Hints

    private static let hints: [(HTTPHeaders, Int, Double)] = [
        (["Retry-After": "7"], 429, 7.0),
        (["Retry-After": "Sun, 06 Nov 1994 08:49:44 GMT"], 503, 7.0),
        (["RateLimit": #""x";r=0;t=9"#], 200, 9.0),
        (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000000"], 200, 3600.0),
        (["Retry-After": "100000"], 429, 3600.0),
    ]

    @Test(arguments: hints)
    func `what a server says holds up who comes after`(headers: HTTPHeaders, status: Int, pause: Double) async throws {
        var configuration = NetworkConfiguration(time: clock, monitors: [notes])
        configuration.timeLimits.total = .unlimited
        let network = Network(actions: [.rateLimit(nil)], transport: server, configuration: configuration)
        let first = send("1", on: network)
        _ = await answer(headers, status: HTTPStatus(status))
        _ = try? await first.value

        let second = send("2", on: network)
        #expect(await clock.nextPause() == .seconds(pause))
        clock.advance(by: .seconds(pause))
        _ = await answer()
        #expect(try await second.value == 200)
    }

    @Test func `sends as many as remain, and no more before the reset`() async throws {
        let network = network(.rateLimit(nil))
        let first = send("1", on: network)
        _ = await answer(["RateLimit": #""x";r=2;t=10"#])
        _ = try await first.value
        let next = [send("2", on: network), send("3", on: network)]
        let exchanges = [await server.nextExchange(), await server.nextExchange()]
        let fourth = await line("4", on: network)
        #expect(await clock.nextPause() == .seconds(10))

        // A late answer that has not heard of the others gives nothing away.
        exchanges[0].respond(headers: ["RateLimit": #""x";r=1;t=10"#])
        exchanges[1].respond(headers: ["RateLimit": #""x";r=0;t=10"#])
        for task in next { _ = try await task.value }
        let fifth = await line("5", on: network)
        clock.advance(by: .seconds(10))
        _ = await answer()
        _ = await answer()
        _ = try await (fourth.value, fifth.value)
    }

    @Test func `an answer that has not heard of later requests gives nothing away`() async throws {
        let network = network(.rateLimit(nil))
        let first = send("1", on: network)
        _ = await answer(["RateLimit": #""x";r=2;t=10"#])
        _ = try await first.value
        let next = [send("2", on: network), send("3", on: network)]
        let exchanges = [await server.nextExchange(), await server.nextExchange()]
        exchanges[0].respond(headers: ["RateLimit": #""x";r=1;t=10"#])
        await notes.next(with: "says")
        await notes.next(with: "says")

        let fourth = await line("4", on: network)
        #expect(await clock.nextPause() == .seconds(10))
        exchanges[1].respond(headers: ["RateLimit": #""x";r=0;t=10"#])
        clock.advance(by: .seconds(10))
        _ = await answer()
        for task in next + [fourth] { _ = try await task.value }
    }

    @Test func `a new window takes the place of the old`() async throws {
        let network = network(.rateLimit(nil))
        let first = send("1", on: network)
        _ = await answer(["RateLimit": #""x";r=1;t=10"#])
        _ = try await first.value
        let second = send("2", on: network)
        _ = await answer(["RateLimit": #""x";r=5;t=60"#])
        _ = try await second.value
        for _ in 0..<5 {
            let task = send("3", on: network)
            _ = await answer()
            _ = try await task.value
        }
        let last = await line("4", on: network)
        clock.advance(by: await clock.nextPause())
        _ = await answer()
        _ = try await last.value
    }

    @Test func `servers are not heeded where that is switched off`() async throws {
        var policy = RateLimitPolicy(nil)
        policy.heedsHints = false
        let network = network(RateLimitAction(policy))
        for _ in 0..<2 {
            let task = send("1", on: network)
            _ = await answer(["Retry-After": "7"], status: 429)
            _ = try? await task.value
        }
    }

    @Test func `a request can be exempt, by name too`() async throws {
        let network = network(.rateLimit(.perSecond(1)))
        let first = send("1", on: network)
        _ = await answer()
        var exempt = request("2")
        exempt.customProperties = ["ignoresRateLimit": true]
        async let second = network.send(exempt)
        _ = await answer()
        _ = try await (first.value, second)
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { RateLimitAction(.perSecond(1000)) }.isEmpty)
    }

    @Test func `many with random cancels all end, at the pace`() async throws {
        let action = RateLimitAction(.perSecond(10), burst: 1)
        let transport = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        var configuration = NetworkConfiguration(time: clock)
        configuration.timeLimits.total = .unlimited
        let network = Network(actions: [action], transport: transport, configuration: configuration)
        var generator = SeededGenerator(seed: 5)
        let tasks = (0..<1000).map { _ in send("1", on: network) }
        let ticking = Task { while !Task.isCancelled { clock.advance(by: await clock.nextPause()) } }
        for task in tasks where Int.random(in: 0..<2, using: &generator) == 0 { task.cancel() }
        for task in tasks { _ = await task.result }
        ticking.cancel()

        let sent = transport.requests.count
        #expect(sent >= 400)
        #expect(clock.now >= .milliseconds(100) * (sent - 1))
        #expect(action.waiting == 0)
    }
}
