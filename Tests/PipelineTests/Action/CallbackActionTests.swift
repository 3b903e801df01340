import Foundation
import Pipeline
import PipelineTesting
import Testing

/// F10: actions that decide by calling a completion handler.
@Suite(.timeLimit(.minutes(3)))
struct CallbackActionTests {
    @Test func `decides both phases through completion handlers, from any thread`() async throws {
        let server = ScriptedTransport([.status(503), .status(200, body: "hello")])
        let network = Network(baseURL: api, actions: [Polite()], transport: server)

        #expect(try await network.send(GetGreeting()) == "hello")
        #expect(server.requests.map { $0.headers["X-Pass"] } == ["1", "2"])
    }

    @Test func `can answer and fail`() async throws {
        let answering = WillBegin { request, completion in
            completion(.respond(NetworkResponse(status: 200, body: .bytes(Data("mine".utf8)), request: request)))
        }
        let failing = WillBegin { _, completion in completion(throwing: Refused()) }
        let server = ScriptedTransport([])

        #expect(try await Network(baseURL: api, actions: [answering], transport: server).send(GetGreeting()) == "mine")
        let error = await #expect(throws: NetworkError.self) {
            try await Network(baseURL: api, actions: [failing], transport: server).send(GetGreeting())
        }
        #expect(error?.code == .actionFailed)
        #expect(error?.underlying is Refused)
    }

    @Test func `a handler that is let go of is an error that names the action`() async throws {
        let network = Network(baseURL: api, actions: [WillBegin { _, _ in }], transport: ScriptedTransport([]))
        let error = await #expect(throws: NetworkError.self) { try await network.send(GetGreeting()) }

        #expect(error?.code == .completionDropped)
        #expect(
            error?.description == """
                completion-dropped in WillBegin for GET https://api.test/greeting: the completion handler was released \
                without being called; call it on every path
                """
        )
    }

    @Test func `a second call is ignored and reported`() async throws {
        let monitor = RecordingMonitor()
        let twice = WillBegin { request, completion in
            completion(.proceed(request))
            completion(throwing: Refused())
        }
        let network = Network(
            baseURL: api,
            actions: [twice],
            transport: ScriptedTransport([.status(200, body: "hello")]),
            configuration: .init(time: SystemTime.shared, monitors: [monitor])
        )

        #expect(try await network.send(GetGreeting()) == "hello")
        let misuses = monitor.events.compactMap { if case .misuse(let action, _) = $0.kind { action } else { nil } }
        #expect(misuses == ["WillBegin"])
    }

    @Test func `a handler that is kept for ever ends with the deadline, naming the action`() async throws {
        let clock = ManualClock(keepsTimeLimits: true)
        let keeper = Keeper()
        let keeping = WillBegin { _, completion in keeper.keep(completion) }
        let network = Network(
            baseURL: api,
            actions: [keeping],
            transport: ScriptedTransport([]),
            configuration: .init(time: clock)
        )
        async let result = network.result(of: GetGreeting())
        #expect(await clock.nextTimeLimit() == .seconds(300))
        await keeper.untilKept()
        clock.advance(by: .seconds(300))

        guard case .failure(let error) = await result else { Issue.record("it succeeded"); return }
        #expect(error.code == .timedOut)
        #expect(error.step == .action("WillBegin"))
    }

    @Test func `a handler that is kept ends with cancellation at once`() async throws {
        let keeper = Keeper()
        let network = Network(
            baseURL: api,
            actions: [WillBegin { _, completion in keeper.keep(completion) }],
            transport: ScriptedTransport([])
        )
        async let result = network.result(of: GetGreeting())
        await keeper.untilKept()
        network.cancelAll()

        guard case .failure(let error) = await result else { Issue.record("it succeeded"); return }
        #expect(error.isCancellation)
        #expect(network.inFlight.isEmpty)
    }
}

/// Retries once and calls its handlers from another queue.
private struct Polite: RequestWillBeginCallbackAction, ResponseCompletedCallbackAction {
    func requestWillBegin(_ request: NetworkRequest, completion: ActionCompletion<RequestDecision>) {
        DispatchQueue.global().async {
            var request = request
            request.headers["X-Pass"] = "\(request.pass)"
            completion(.proceed(request))
        }
    }

    func responseCompleted(
        _ outcome: Outcome,
        for request: NetworkRequest,
        completion: ActionCompletion<ResponseDecision>
    ) {
        DispatchQueue.global().async {
            completion(Result { try outcome.get() }.map { $0.status == 503 ? .retry(after: .zero) : .deliver($0) })
        }
    }
}

private struct WillBegin: RequestWillBeginCallbackAction {
    let hook: @Sendable (NetworkRequest, ActionCompletion<RequestDecision>) -> Void

    func requestWillBegin(_ request: NetworkRequest, completion: ActionCompletion<RequestDecision>) {
        hook(request, completion)
    }
}

/// Keeps a completion handler and never calls it.
private final class Keeper: Sendable {
    private let kept = Locked<[ActionCompletion<RequestDecision>]>([])
    private let isKept = OneShot<Void>()

    func keep(_ completion: ActionCompletion<RequestDecision>) {
        kept.withLock { $0.append(completion) }
        isKept.resolve(())
    }

    func untilKept() async { await isKept.valueOrCancellation() }
}
