import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RetryNetworkTests {
    let source = ManualPathSource(.satisfied)
    let clock = ManualClock(keepsTimeLimits: true)
    let server = ConversationTransport()
    let watch = WaitWatch()

    /// An address: of a name only the resolver of the machine that runs the test would know whether it may be local.
    let request = NetworkRequest(url: URL(string: "http://198.51.100.1/")!)

    func network(waits: Bool) -> Network {
        var policy = RetryPolicy.standard
        policy.waitsForNetwork = waits
        policy.backoff = .twoFourEight
        var configuration = NetworkConfiguration(time: clock, monitors: [watch])
        configuration.networkMonitor = NetworkMonitor(source: source)
        return Network(
            actions: [RetryAction(policy)],
            transport: RoutedTransport(server),
            configuration: configuration
        )
    }

    @Test(arguments: [NetworkError.Code.offline, .hostNotFound, .connectionLost, .timedOutIdle])
    func `waits for the network, then pauses and tries again`(code: NetworkError.Code) async throws {
        async let reply = network(waits: true).reply(to: request)
        let exchange = await server.nextExchange()
        source.report(.unsatisfied)
        exchange.fail(NetworkError(code, reach: code == .connectionLost || code == .timedOutIdle ? .maybe : .no))
        await watch.untilWaiting()
        source.report(.satisfied)
        #expect(await clock.nextPause() == .seconds(2))
        clock.advance(by: .seconds(2))
        await server.nextExchange().respond(status: 200)

        #expect(try await reply.attempts == 2)
    }

    @Test func `does not wait while there is a network, or unless it is told to`() async {
        async let failing = network(waits: true).result(of: request)
        await server.nextExchange().fail(NetworkError(.connectionLost))
        #expect(await clock.nextPause() == .seconds(2))
        clock.advance(by: .seconds(2))
        await server.nextExchange().respond(status: 200)
        #expect(await failing.failure == nil)

        source.report(.unsatisfied)
        async let offline = network(waits: false).result(of: request)
        for _ in 0..<2 { clock.advance(by: await clock.nextPause()) }
        #expect(await offline.failure?.code == .offline)
        #expect(await offline.failure?.attempts == 0)
    }

    @Test func `waits no longer than the total time limit, nor after it was cancelled`() async {
        source.report(.unsatisfied)
        let network = network(waits: true)
        async let late = network.result(of: request)
        await watch.untilWaiting()
        clock.advance(by: .seconds(300))
        #expect(await late.failure?.code == .timedOut)

        async let cancelled = network.result(of: request)
        await watch.untilWaiting()
        network.cancelAll()
        #expect(await cancelled.failure?.code == .cancelled)
    }
}
