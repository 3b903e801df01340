#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    /// Requests beyond what may be under way at once wait in a line of the transport's own.
    @Suite(.timeLimit(.minutes(3)))
    struct CurlQueueTests {
        let server: LoopbackServer
        let gate = LoopbackGate()

        init() throws {
            server = try LoopbackServer()
            server.handle { [gate] request in .text(request.target).after(.wait(gate)) }
        }

        private func transport(perHost: Int, inAll: Int = 256) -> CurlTransport {
            var configuration = CurlTransport.Configuration()
            configuration.maximumRequestsPerHost = perHost
            configuration.maximumRequests = inAll
            return CurlTransport(configuration: configuration)
        }

        @Test(arguments: [(1, 256), (3, 256), (64, 2)])
        func `has no more requests under way than it may`(perHost: Int, inAll: Int) async throws {
            let network = Network(transport: transport(perHost: perHost, inAll: inAll))
            let bound = min(perHost, inAll)
            let requests = (0..<12).map { NetworkRequest(url: server.url("/\($0)")) }

            async let answers = withTaskGroup(of: String.self) { group in
                for request in requests { group.addTask { await network.result(of: request).summary } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            await gate.arrival(bound)
            let arrived = server.requests.count
            gate.open()

            #expect(arrived == bound)
            #expect(await answers == Array(repeating: "200", count: 12))
        }

        @Test func `a full host holds up nobody who goes elsewhere`() async throws {
            let other = try LoopbackServer()
            other.handle { _ in .text("free") }
            let transport = transport(perHost: 1)
            async let held = transport.send(NetworkRequest(url: server.url("/held")))
            await gate.arrival()
            async let waiting = transport.send(NetworkRequest(url: server.url("/waiting")))

            let free = try await transport.send(NetworkRequest(url: other.url("/")))

            #expect(free.status == 200)
            #expect(server.requests.map(\.target) == ["/held"])
            gate.open()
            _ = try await (held, waiting)
        }

        @Test func `those of higher priority go first, and equals in the order they came`() async throws {
            let events = LineWatch()
            let network = Network(
                transport: transport(perHost: 1),
                configuration: NetworkConfiguration(time: SystemTime.shared, monitors: [events])
            )
            func send(_ target: String, _ priority: TaskPriority) -> Task<String, Never> {
                var request = NetworkRequest(url: server.url(target))
                request.priority = priority
                return Task { [request] in await network.result(of: request).summary }
            }
            let first = send("/first", .low)
            await gate.arrival()
            var tasks = [first]
            for (target, priority) in [
                ("/low", TaskPriority.low), ("/high", .high), ("/low too", .low), ("/high too", .high),
            ] {
                tasks.append(send(target.replacingOccurrences(of: " ", with: "-"), priority))
                await events.nextWaiting()
            }
            gate.open()
            for task in tasks { #expect(await task.value == "200") }

            #expect(server.requests.map(\.target) == ["/first", "/high", "/high-too", "/low", "/low-too"])
        }

        @Test func `the attempt limit does not run in line`() async throws {
            let clock = ManualClock(keepsTimeLimits: true)
            let events = LineWatch()
            let network = Network(
                transport: transport(perHost: 1),
                configuration: NetworkConfiguration(time: clock, monitors: [events])
            )
            func request(_ target: String) -> NetworkRequest {
                var request = NetworkRequest(url: server.url(target))
                request.timeLimits = TimeLimits(attempt: .seconds(10), total: .unlimited)
                return request
            }
            async let held = network.result(of: request("/held"))
            await gate.arrival()
            async let waiting = network.result(of: request("/waiting"))
            await events.nextWaiting()

            clock.advance(by: .seconds(10))

            #expect(await held.summary == "timed-out-attempt")
            await gate.arrival(2)
            clock.advance(by: .seconds(9))
            gate.open()
            #expect(await waiting.summary == "200")
        }

        @Test func `one who is cancelled in line leaves it and sends nothing`() async throws {
            let events = LineWatch()
            let network = Network(
                transport: transport(perHost: 1),
                configuration: NetworkConfiguration(time: SystemTime.shared, monitors: [events])
            )
            async let held = network.result(of: NetworkRequest(url: server.url("/held")))
            await gate.arrival()
            let task = Task { [server] in await network.result(of: NetworkRequest(url: server.url("/cancelled"))) }
            await events.nextWaiting()
            async let next = network.result(of: NetworkRequest(url: server.url("/next")))
            await events.nextWaiting()

            task.cancel()
            let outcome = await task.value
            gate.open()

            #expect(outcome.summary == "cancelled")
            #expect(throws: NetworkError.self) { try outcome.get() }
            #expect(await held.summary == "200")
            #expect(await next.summary == "200")
            #expect(server.requests.map(\.target) == ["/held", "/next"])
        }

        @Test func `the end of the transport ends those in line`() async throws {
            let transport = transport(perHost: 1)
            let events = LineWatch()
            let network = Network(
                transport: transport,
                configuration: NetworkConfiguration(time: SystemTime.shared, monitors: [events])
            )
            async let held = network.result(of: NetworkRequest(url: server.url("/held")))
            await gate.arrival()
            async let waiting = network.result(of: NetworkRequest(url: server.url("/waiting")))
            await events.nextWaiting()

            await transport.shutdown()

            #expect(await held.summary == "transport-unavailable")
            #expect(await waiting.summary == "transport-unavailable")
            #expect(server.requests.count == 1)
        }
    }

    /// Hears when a request begins to wait.
    private final class LineWatch: EventMonitor {
        private let waiting = AsyncStream<Void>.makeStream()

        func record(_ event: SendEvent) {
            if case .transport(let text) = event.kind, text.contains("in line") { waiting.continuation.yield() }
        }

        func nextWaiting() async {
            var iterator = waiting.stream.makeAsyncIterator()
            await iterator.next()
        }
    }
#endif
