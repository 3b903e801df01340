import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct OfflinePolicyTests {
    let source = ManualPathSource(.unsatisfied)
    let server = ConversationTransport()
    let watch = WaitWatch()
    let log = EventLog()
    let clock = ManualClock(keepsTimeLimits: true)

    /// An address: of a name only the resolver of the machine that runs the test would know whether it may be local.
    let distant = URL(string: "http://198.51.100.1/")!

    func network(_ policy: OfflinePolicy? = nil, transport: (any Transport)? = nil) -> Network {
        var configuration = NetworkConfiguration(time: clock, monitors: [watch])
        configuration.networkMonitor = NetworkMonitor(source: source)
        if let policy { configuration.offlinePolicy = policy }
        return Network(
            actions: [RecordingAction("A", log: log, zone: .hop)],
            transport: transport ?? RoutedTransport(server),
            configuration: configuration
        )
    }

    @Test func `fails at once unless told otherwise, and no attempt is made`() async {
        let error = await #expect(throws: NetworkError.self) { try await network().send(NetworkRequest(url: distant)) }
        #expect(error?.code == .offline)
        #expect(error?.reach == .no)
        #expect(error?.attempts == 0)
        #expect(error?.step == .transport)
        #expect(log.lines == ["A will begin", "A completed offline"])
    }

    @Test func `waits, and makes the attempt when the network is there`() async throws {
        async let response = network(.wait).send(NetworkRequest(url: distant))
        await watch.untilWaiting()
        #expect(log.lines == ["A will begin"])
        source.report(.satisfied)
        await server.nextExchange().respond(status: 200)
        #expect(try await response.status == 200)
    }

    @Test func `chooses for each request`() async throws {
        let network = network(.wait)
        let refused = NetworkRequest(url: distant).configured { $0.offlinePolicy = .fail }
        #expect(await network.result(of: refused).failure?.code == .offline)

        let tried = NetworkRequest(url: distant).configured { $0.offlinePolicy = .tryAnyway }
        async let response = network.send(tried)
        await server.nextExchange().respond(status: 200)
        #expect(try await response.status == 200)
    }

    @Test func `shows that it waits, and stops when it is cancelled`() async {
        let network = network(.wait)
        let sending = Task { await network.result(of: NetworkRequest(url: distant)) }
        await watch.untilWaiting()
        #expect(network.inFlight.map(\.phase) == [.waitingForNetwork])
        sending.cancel()
        #expect(await sending.value.failure?.code == .cancelled)
    }

    @Test func `waits no longer than the total time limit`() async {
        let network = network(.wait)
        async let result = network.result(of: NetworkRequest(url: distant))
        await watch.untilWaiting()
        clock.advance(by: .seconds(300))
        let error = await result.failure
        #expect(error?.code == .timedOut)
        #expect(error?.attempts == 0)
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://[::1]/", "http://localhost/", "http://api.localhost/", "http://printer.local/",
        "http://169.254.1.1/", "http://[fe80::1]/", "http://nowhere.invalid/", "http://10.0.0.1/",
    ])
    func `judges no host that routes do not tell of`(url: String) async throws {
        let request = NetworkRequest(url: try #require(URL(string: url)))
        async let response = network().send(request)
        await server.nextExchange().respond(status: 200)
        #expect(try await response.status == 200)
    }

    @Test func `judges no transport that does not tell where it connects to`() async throws {
        async let response = network(transport: server).send(NetworkRequest(url: distant))
        await server.nextExchange().respond(status: 200)
        #expect(try await response.status == 200)
        #expect(!source.isHeard)
    }

    @Test func `lets all pass where nothing is known`() async throws {
        source.report(NetworkPath(.unknown, obstacle: "nobody may ask"))
        async let response = network().send(NetworkRequest(url: distant))
        await server.nextExchange().respond(status: 200)
        #expect(try await response.status == 200)
    }

    @Test(arguments: [
        (NetworkError.Code.hostNotFound, NetworkError.Code.offline), (.connectionFailed, .offline),
        (.timedOutConnecting, .offline), (.proxyFailed, .offline), (.offline, .offline),
        (.connectionRefused, .connectionRefused), (.tlsUntrusted, .tlsUntrusted),
    ])
    func `knows a failure for want of a network that was lost meanwhile`(
        code: NetworkError.Code,
        told: NetworkError.Code
    ) async {
        source.report(.satisfied)
        async let result = network().result(of: NetworkRequest(url: distant))
        let exchange = await server.nextExchange()
        source.report(.unsatisfied)
        exchange.fail(NetworkError(code, underlying: CancellationError(), reach: .no))
        let error = await result.failure
        #expect(error?.code == told)
        #expect(error?.attempts == 1)
        #expect(error?.underlying != nil)
    }

    @Test(arguments: ["http://169.254.1.1/", "http://printer.local/", "http://nowhere.invalid/", "http://127.0.0.1/"])
    func `keeps the failure of a host that is no matter of routes`(url: String) async throws {
        let request = NetworkRequest(url: try #require(URL(string: url)))
        async let result = network().result(of: request)
        await server.nextExchange().fail(NetworkError(.hostNotFound, reach: .no))
        #expect(await result.failure?.code == .hostNotFound)
    }

    @Test func `keeps the failure of an attempt that may have arrived, or that had a network`() async {
        source.report(.satisfied)
        let network = network()
        async let first = network.result(of: NetworkRequest(url: distant))
        await server.nextExchange().fail(NetworkError(.hostNotFound, reach: .no))
        #expect(await first.failure?.code == .hostNotFound)

        async let second = network.result(of: NetworkRequest(url: distant))
        let exchange = await server.nextExchange()
        source.report(.unsatisfied)
        exchange.fail(NetworkError(.connectionFailed, reach: .maybe))
        #expect(await second.failure?.code == .connectionFailed)
    }

    @Test func `makes an attempt again that failed for want of a network, once that is back`() async throws {
        source.report(.satisfied)
        async let reply = network(.wait).reply(to: NetworkRequest(url: distant))
        let exchange = await server.nextExchange()
        source.report(.unsatisfied)
        exchange.fail(NetworkError(.hostNotFound, reach: .no))
        await watch.untilWaiting()
        source.report(.satisfied)
        await server.nextExchange().respond(status: 200)

        #expect(try await reply.attempts == 2)
        #expect(
            log.lines == ["A will begin", "A began", "A began", "A response began", "A completed 200"]
        )
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
