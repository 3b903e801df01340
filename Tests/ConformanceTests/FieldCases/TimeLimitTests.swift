import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B10: one limit for each attempt and one for all of them. In real time, since sockets know no other.
@Suite(.timeLimit(.minutes(3)))
struct TimeLimitTests {
    private static func retrying(after pause: Duration = .zero) -> HookAction {
        HookAction(completed: { outcome, _ in
            if case .success(let response) = outcome { return .deliver(response) }
            return .retry(after: pause)
        })
    }

    private func request(to server: LoopbackServer, _ limits: TimeLimits) -> NetworkRequest {
        var request = NetworkRequest(url: server.url("/"))
        request.timeLimits = limits
        return request
    }

    @Test func `an attempt that hangs leaves time for the next`() async throws {
        let server = try LoopbackServer()
        server.handle(nil, "/", inTurn: [.never, .text("quick")])
        let network = Network(actions: [Self.retrying()], transport: URLSessionTransport())
        // Long enough for the second attempt on a machine under load.
        let reply = try await network.reply(
            to: request(to: server, TimeLimits(attempt: .seconds(2), total: .seconds(50)))
        )

        #expect(reply.value.body.data == Data("quick".utf8))
        #expect(reply.attempts >= 2)  // More only where the machine itself takes longer than an attempt may.
        #expect(await server.nextClosedConnection().wasClosedByClient)
    }

    @Test func `the total limit ends it when all attempts hang`() async throws {
        let server = try LoopbackServer()
        server.handle { _ in .never }
        let network = Network(actions: [Self.retrying()], transport: URLSessionTransport())
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(
                request(to: server, TimeLimits(attempt: .milliseconds(200), total: .milliseconds(700)))
            )
        }

        #expect(error?.code == .timedOut)
        // Four fit into the limit; without it there would be twenty-one.
        #expect((error?.attempts ?? .max) <= 4)
    }

    @Test func `a pause that would outlast the total limit is refused at once`() async throws {
        let server = try LoopbackServer()
        server.handle { _ in [.close] }
        let network = Network(actions: [Self.retrying(after: .seconds(120))], transport: URLSessionTransport())
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(request(to: server, TimeLimits(total: .seconds(60))))
        }

        #expect(error?.code == .connectionLost)
        guard case .pauseOutlastsDeadline(.seconds(120), left: _) = error?.refusedRetry else {
            Issue.record("refused for another reason: \(String(describing: error?.refusedRetry))")
            return
        }
        #expect(error?.attempts == 1)
    }
}
