import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RequestServiceTests {
    private let clock = ManualClock()
    private let server = ConversationTransport()

    private func network(_ actions: [any Action] = []) -> Network {
        Network(
            baseURL: URL(string: "https://api.test"),
            actions: actions,
            transport: server,
            configuration: NetworkConfiguration(time: clock)
        )
    }

    private struct GetName: Request {
        typealias Response = String
        var method = HTTPMethod.get
        var actions: [any Action] = []
        func buildRequest(with baseURL: URL) throws -> NetworkRequest { NetworkRequest(method: method, url: baseURL) }
    }

    @Test func `gives the answer, and can be asked again`() async throws {
        let service = RequestService(GetName(), on: network())
        for name in ["Ada", "Grace"] {
            let answer = Task { try await service.send() }
            await server.nextExchange().respond(body: name)
            #expect(try await answer.value == name)
        }
        #expect(service.sendsInFlight == 0)
    }

    @Test func `tries once unless told otherwise`() async {
        let service = RequestService(GetName(), on: network())
        let answer = Task { try await service.send() }
        await server.nextExchange().respond(status: 503)
        let error = await #expect(throws: NetworkError.self) { try await answer.value }
        #expect(error?.statusCode == 503)
        #expect(error?.attempts == 1)
    }

    /// Who has a retry action of its own.
    enum Owner: CaseIterable { case nobody, network, request }

    @Test(arguments: Owner.allCases)
    func `retries as often as it was told, after 2, 4 and 8 seconds`(owner: Owner) async {
        let own: [any Action] = [ActionGroup([RetryAction(.never)])]
        let request = GetName(actions: owner == .request ? own : [])
        let service = RequestService(request, on: network(owner == .network ? own : []), retries: 3)
        let answer = Task { try await service.send() }
        for seconds in [2, 4, 8] {
            await server.nextExchange().respond(status: 503)
            let pause = await clock.nextPause()
            #expect(pause == .seconds(seconds))
            clock.advance(by: pause)
        }
        await server.nextExchange().respond(status: 503)
        let error = await #expect(throws: NetworkError.self) { try await answer.value }
        #expect(error?.attempts == 4)
    }

    @Test func `does not send an order twice`() async {
        let service = RequestService(GetName(method: .post), on: network(), retries: 3)
        let answer = Task { try await service.send() }
        await server.nextExchange().respond(status: 503)
        let error = await #expect(throws: NetworkError.self) { try await answer.value }
        #expect(error?.attempts == 1)
    }

    @Test func `leaves the network as it is`() async throws {
        let network = network()
        let service = RequestService(GetName(), on: network, retries: 3)
        let answer = Task { try await service.send() }
        await server.nextExchange().respond()
        _ = try await answer.value
        #expect(network.actions.isEmpty)
    }

    @Test func `cancels all that is under way, and can be asked again`() async throws {
        let service = RequestService(GetName(), on: network(), retries: 3)
        let first = Task { try await service.send() }
        let firstExchange = await server.nextExchange()
        async let second = withCheckedContinuation { done in service.send { done.resume(returning: $0) } }
        let secondExchange = await server.nextExchange()
        #expect(service.sendsInFlight == 2)

        service.cancel()
        await firstExchange.untilCancelled()
        await secondExchange.untilCancelled()
        let error = await #expect(throws: NetworkError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        #expect(await second.failureCode == .cancelled)

        async let third = service.send()
        await server.nextExchange().respond(body: "Ada")
        #expect(try await third == "Ada")
    }

    @Test func `does not retry what was cancelled in a pause`() async {
        let service = RequestService(GetName(), on: network(), retries: 3)
        let answer = Task { try await service.send() }
        await server.nextExchange().respond(status: 503)
        _ = await clock.nextPause()

        service.cancel()
        let error = await #expect(throws: NetworkError.self) { try await answer.value }
        #expect(error?.code == .cancelled)
        #expect(server.pendingExchanges == 0)
    }

    @Test func `a task that is cancelled cancels its send alone`() async throws {
        let service = RequestService(GetName(), on: network())
        let task = Task { try await service.send() }
        let first = await server.nextExchange()
        async let other = service.send()
        let second = await server.nextExchange()

        task.cancel()
        await first.untilCancelled()
        second.respond(body: "Ada")
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try await other == "Ada")
    }

    @Test func `a task that was cancelled before sends nothing that arrives`() async {
        let service = RequestService(GetName(), on: network())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await service.send()
        }
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(service.sendsInFlight == 0)
    }

    @Test func `a handle cancels its send alone`() async throws {
        let service = RequestService(GetName(), on: network())
        async let result = withCheckedContinuation { done in
            service.send { done.resume(returning: $0) }.cancel()
        }
        #expect(await result.failureCode == .cancelled)
    }
}

extension Result where Failure == NetworkError {
    fileprivate var failureCode: NetworkError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
