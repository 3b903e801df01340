import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// F12: one deadline for everything from build to the end of the body. B10: the limit of an attempt is another.
@Suite(.timeLimit(.minutes(3)))
struct DeadlineTests {
    let clock = ManualClock(keepsTimeLimits: true)
    let server = ConversationTransport()
    let log = EventLog()

    func network(_ actions: [any Action] = []) -> Network {
        Network(baseURL: api, actions: actions, transport: server, configuration: .init(time: clock))
    }

    @Test func `the defaults are ten, thirty, sixty and three hundred seconds`() async throws {
        async let response = network().send(NetworkRequest(url: api))
        let exchange = await server.nextExchange()
        #expect(
            exchange.request.timeLimits
                == TimeLimits(connect: .seconds(10), idle: .seconds(30), attempt: .seconds(60), total: .seconds(300))
        )
        exchange.respond()
        _ = try await response
    }

    @Test func `a request overrides single limits`() async throws {
        async let response = network().send(GetGreeting { $0.timeLimits.attempt = .seconds(1) })
        let exchange = await server.nextExchange()
        #expect(exchange.request.timeLimits.attempt == .seconds(1))
        #expect(exchange.request.timeLimits.total == .seconds(300))
        exchange.respond()
        _ = try await response
    }

    @Test func `the total limit ends the attempt and is an error of its own`() async throws {
        async let result = network([RecordingAction("A", log: log)])
            .result(of: GetGreeting { $0.timeLimits.attempt = .unlimited })
        let exchange = await server.nextExchange()
        clock.advance(by: .seconds(300))
        await exchange.untilCancelled()

        guard case .failure(let error) = await result else { Issue.record("it succeeded"); return }
        #expect(error.code == .timedOut)
        #expect(error.category == .timeLimit)
        #expect(error.step == .transport)
        #expect(log.lines.last == "A completed timed-out")
    }

    @Test func `the limit of an attempt can be retried, the total limit cannot`() async throws {
        let retrying = HookAction.retrying { outcome, _ in outcome.status == nil }
        async let result = network([retrying]).result(of: GetGreeting { $0.timeLimits.total = .seconds(70) })

        let first = await server.nextExchange()
        clock.advance(by: .seconds(60))
        await first.untilCancelled()
        let second = await server.nextExchange()
        clock.advance(by: .seconds(10))
        await second.untilCancelled()

        #expect(await result.code == .timedOut)
        #expect(server.pendingExchanges == 0)
    }

    @Test func `an attempt that ran out of time says so`() async throws {
        async let result = network().result(of: GetGreeting())
        _ = await server.nextExchange()
        clock.advance(by: .seconds(60))

        #expect(await result.code == .timedOutAttempt)
    }

    @Test func `the limit of an attempt reaches into a gathered body`() async throws {
        async let result = network().result(of: GetGreeting())
        let stopped = OneShot<Void>()
        let pipe = await server.nextExchange().respondStreaming { stopped.resolve(()) }
        pipe.write(Data("hel".utf8))
        clock.advance(by: .seconds(60))

        #expect(await result.code == .timedOutAttempt)
        await stopped.valueOrCancellation()
    }

    @Test func `the total limit runs on while a streamed body is read`() async throws {
        async let sent = network().send(NetworkRequest(url: api, delivery: .stream))
        let pipe = await server.nextExchange().respondStreaming()
        let response = try await sent
        pipe.write(Data("hel".utf8))
        clock.advance(by: .seconds(300))

        let error = await #expect(throws: NetworkError.self) { try await response.body.collect() }
        #expect(error?.code == .timedOut)
    }

    @Test func `decoding is outside of the limit`() async throws {
        struct Slow: Request {
            let clock: ManualClock

            func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }

            func response(from response: NetworkResponse) async throws -> String {
                clock.advance(by: .seconds(1000))
                return "slowly read"
            }
        }
        async let value = network().send(Slow(clock: clock))
        await server.nextExchange().respond()

        #expect(try await value == "slowly read")
    }

    @Test func `the time that is left shrinks`() async throws {
        async let value = network().send(GetGreeting())
        let exchange = await server.nextExchange()
        clock.advance(by: .seconds(20))
        #expect(exchange.request.context.timeLeft == .seconds(280))
        exchange.respond()
        _ = try await value
    }
}
