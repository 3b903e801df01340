import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RetryActionTests {
    let clock = ManualClock()
    let server = ConversationTransport()
    let monitor = RecordingMonitor()

    func makeNetwork(_ actions: any Action..., total: Duration? = nil) -> Network {
        var configuration = NetworkConfiguration(time: clock, monitors: [monitor])
        if let total { configuration.timeLimits.total = total }
        return Network(actions: actions, transport: server, configuration: configuration)
    }

    private func makeRetry(_ change: (inout RetryPolicy) -> Void = { _ in }) -> RetryAction {
        var policy = RetryPolicy.standard
        change(&policy)
        return RetryAction(policy, generator: HighestGenerator())
    }

    @Test func `waits as long as the server asks, then tries again`() async throws {
        async let response = makeNetwork(RetryAction(maxAttempts: 2)).send(NetworkRequest(url: api))

        await server.nextExchange().respond(status: 503, headers: ["Retry-After": "2"])
        #expect(await clock.nextPause() == .seconds(2))
        clock.advance(by: .seconds(2))
        await server.nextExchange().respond(status: 200, body: "hello")

        #expect(try await response.body.data == Data("hello".utf8))
        #expect(monitor.retryDecisions == [.retry(after: .seconds(2), .status(503))])
    }

    @Test func `waits until a date on the wall clock`() async throws {
        async let response = makeNetwork(RetryAction()).send(NetworkRequest(url: api))

        let date = HTTPDate(clock.date + 30)
        await server.nextExchange().respond(status: 429, headers: [.retryAfter: date])
        #expect(await clock.nextPause() == .seconds(30))
        clock.advance(by: .seconds(30))
        await server.nextExchange().respond(status: 200)

        #expect(try await response.status == 200)
    }

    @Test(arguments: [(1, 0), (2, 1), (5, 4)])
    func `gives up after the last attempt, with what came last`(attempts: Int, pauses: Int) async throws {
        async let result = makeNetwork(RetryAction(maxAttempts: attempts)).result(of: NetworkRequest(url: api))

        for _ in 0..<pauses {
            await server.nextExchange().respond(status: 503)
            clock.advance(by: await clock.nextPause())
        }
        await server.nextExchange().respond(status: 503, body: "still down")

        let error = try #require(await result.failure)
        #expect(error.statusCode == 503)
        #expect(error.payloadData == Data("still down".utf8))
        #expect(error.attempts == attempts)
        #expect(monitor.retryDecisions.last == .giveUp(.status(503), .noAttemptsLeft(attempts)))
    }

    @Test func `repeats the hop that failed, and counts each hop by itself`() async throws {
        let log = EventLog()
        let outer = RecordingAction("send", log: log)
        let inner = RecordingAction("attempt", log: log, zone: .hop)
        async let response = makeNetwork(outer, makeRetry { $0.maxAttempts = 2 }, inner).send(NetworkRequest(url: api))

        for path in ["/a", "/b"] {
            await server.nextExchange().respond(status: 503)
            clock.advance(by: await clock.nextPause())
            await server.nextExchange().respond(status: 302, headers: [.location: path])
        }
        await server.nextExchange().respond()

        #expect(try await response.url.path == "/b")
        #expect(log.lines.count { $0 == "attempt will begin" } == 5)
        #expect(log.lines.count { $0 == "send will begin" } == 1)
    }

    // MARK: B10: one attempt's limit and the total one

    @Test func `an attempt beyond its limit is repeated`() async throws {
        let clock = ManualClock(keepsTimeLimits: true)
        var request = NetworkRequest(url: api)
        request.timeLimits = TimeLimits(attempt: .seconds(1), total: .seconds(10))
        let network = Network(actions: [makeRetry()], transport: server, configuration: .init(time: clock))
        async let response = network.send(request)

        let stuck = await server.nextExchange()
        clock.advance(by: .seconds(1))
        await stuck.untilCancelled()
        clock.advance(by: await clock.nextPause())
        await server.nextExchange().respond()

        #expect(try await response.status == 200)
    }

    @Test func `the total limit ends it, and is not repeated`() async throws {
        let clock = ManualClock(keepsTimeLimits: true)
        var request = NetworkRequest(url: api)
        request.timeLimits = TimeLimits(attempt: .seconds(5), total: .seconds(2))
        let network = Network(actions: [makeRetry()], transport: server, configuration: .init(time: clock))
        async let result = network.result(of: request)

        let stuck = await server.nextExchange()
        clock.advance(by: .seconds(2))
        await stuck.untilCancelled()

        #expect(await result.failure?.code == .timedOut)
        #expect(server.pendingExchanges == 0)
    }

    @Test func `a pause beyond the total limit is refused at once, and the error says so`() async throws {
        let network = makeNetwork(RetryAction(), total: .seconds(10))
        async let result = network.result(of: NetworkRequest(url: api))
        await server.nextExchange().respond(status: 503, headers: [.retryAfter: 30], body: "later")

        let error = try #require(await result.failure)
        let (pause, left) = (Duration.seconds(30), Duration.seconds(10))
        #expect(error.payloadData == Data("later".utf8))
        #expect(error.refusedRetry == .pauseOutlastsDeadline(pause: pause, left: left))
        #expect(monitor.retryDecisions == [.giveUp(.status(503), .pauseOutlastsDeadline(pause: pause, left: left))])
        #expect(clock.now == .zero)
    }

    @Test func `a refused pause costs nothing`() async throws {
        let budget = RetryBudget()
        let network = makeNetwork(RetryAction(budget: budget), total: .seconds(10))
        async let result = network.result(of: NetworkRequest(url: api))
        await server.nextExchange().respond(status: 503, headers: [.retryAfter: 30])
        _ = await result

        #expect(budget.available == 500)
    }

    // MARK: The body

    @Test func `a body that can be read once only is not sent again, and the error says so`() async throws {
        let body = RequestBody.stream { AsyncStream<Data> { $0.finish() } }
        async let result = makeNetwork(RetryAction())
            .result(of: NetworkRequest(method: .put, url: api, body: body))
        let exchange = await server.nextExchange()
        _ = try exchange.request.body.makeChunks()
        exchange.fail(NetworkError(.connectionLost))

        let error = try #require(await result.failure)
        #expect(error.code == .connectionLost)
        #expect(error.refusedRetry == .bodyNotReplayable)
        #expect(monitor.retryDecisions == [.giveUp(.failure(.connectionLost), .bodyNotReplayable)])
    }

    // MARK: Requests of their own kind

    @Test func `a request can bring a policy of its own, or none`() async throws {
        let network = makeNetwork(makeRetry())
        var patient = NetworkRequest(url: api)
        patient.retryPolicy = RetryPolicy()
        patient.retryPolicy?.backoff = .twoFourEight
        patient.retryPolicy?.maxAttempts = 4
        async let result = network.result(of: patient)
        for pause in [2, 4, 8] {
            await server.nextExchange().respond(status: 500)
            #expect(await clock.nextPause() == .seconds(pause))
            clock.advance(by: .seconds(pause))
        }
        await server.nextExchange().respond(status: 500)
        #expect(await result.failure?.attempts == 4)

        async let other = network.result(
            of: NetworkRequest(url: api, customProperties: ["retryPolicy": RetryPolicy.never])
        )
        await server.nextExchange().respond(status: 500)
        #expect(await other.failure?.attempts == 1)
    }

    @Test func `a request can say that it may be sent twice`() async throws {
        let network = makeNetwork(makeRetry())
        async let response = network.send(
            NetworkRequest(method: .post, url: api, customProperties: ["isIdempotent": true])
        )
        await server.nextExchange().respond(status: 503)
        clock.advance(by: await clock.nextPause())
        await server.nextExchange().respond()

        #expect(try await response.status == 200)
    }

    @Test func `a property of the wrong type is refused`() async throws {
        let network = makeNetwork(RetryAction())
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(NetworkRequest(url: api, customProperties: ["retryPolicy": "never"]))
        }
        #expect(error?.code == .invalidRequest)
    }

    // MARK: The application's own decision

    @Test func `looks at the beginning of a streamed body, and leaves it whole`() async throws {
        let seen = EventLog()
        let network = makeNetwork(
            makeRetry { policy in
                policy.decide = { candidate in
                    let start = await candidate.bodyPrefix(upTo: 5)
                    seen.append(
                        "\(candidate.attempt) \(candidate.status?.code ?? 0) \(String(decoding: start, as: UTF8.self))"
                    )
                    return start == Data("again".utf8) ? .retry(after: .seconds(3)) : .asUsual
                }
            }
        )
        async let response = network.send(NetworkRequest(url: api, delivery: .stream))
        for text in ["again, please", "a whole answer"] {
            let pipe = await server.nextExchange().respondStreaming()
            pipe.write(Data(text.prefix(3).utf8))
            pipe.write(Data(text.dropFirst(3).utf8))
            pipe.finish()
            if text.hasPrefix("again") {
                #expect(await clock.nextPause() == .seconds(3))
                clock.advance(by: .seconds(3))
            }
        }

        #expect(try await response.body.collect() == Data("a whole answer".utf8))
        #expect(seen.lines == ["1 200 again", "2 200 a who"])
    }

    @Test func `is not asked about what is never repeated`() async throws {
        let asked = EventLog()
        let network = makeNetwork(
            makeRetry { policy in
                policy.decide = { _ in
                    asked.append("asked")
                    return .retry()
                }
            }
        )
        async let result = network.result(of: NetworkRequest(url: api))
        await server.nextExchange().fail(NetworkError(.tlsUntrusted, reach: .no))

        #expect(await result.failure?.code == .tlsUntrusted)
        #expect(asked.lines.isEmpty)
        #expect(monitor.retryDecisions == [.giveUp(.failure(.tlsUntrusted), .neverRepeated)])
    }

    @Test(arguments: [
        BodyDelivery.gathered, .file(FileManager.default.temporaryDirectory.appending(path: "retry-prefix")),
    ])
    func `sees the beginning of a body wherever it went`(delivery: BodyDelivery) async throws {
        defer { if case .file(let url) = delivery { try? FileManager.default.removeItem(at: url) } }
        let seen = EventLog()
        let network = makeNetwork(
            makeRetry { policy in
                policy.decide = { candidate in
                    seen.append(String(decoding: await candidate.bodyPrefix(upTo: 3), as: UTF8.self))
                    return .asUsual
                }
            }
        )
        async let response = network.send(NetworkRequest(url: api, delivery: delivery))
        await server.nextExchange().respond(body: "abcdef")

        #expect(try await response.body.collect() == Data("abcdef".utf8))
        #expect(seen.lines == ["abc"])
    }

    // MARK: The rest

    @Test func `cancelling ends the pause, and nothing is sent after it`() async throws {
        let network = makeNetwork(makeRetry())
        let task = Task { await network.result(of: NetworkRequest(url: api)) }
        await server.nextExchange().respond(status: 503)
        _ = await clock.nextPause()
        task.cancel()

        #expect(await task.value.failure?.isCancellation == true)
        #expect(server.pendingExchanges == 0)
    }

    @Test func `is written with a leading dot`() async throws {
        let network = Network(actions: [.retry(maxAttempts: 1), .retry(.never)], transport: server)
        #expect(network.actions.compactMap { ($0 as? RetryAction)?.policy.maxAttempts } == [1, 1])
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { RetryAction() } == [])
    }
}

private let api = URL(string: "https://api.test")!

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
