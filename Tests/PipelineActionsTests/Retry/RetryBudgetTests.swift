import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RetryBudgetTests {
    /// A sequence of answers to one send, with the tokens that are left and the pause after each.
    struct Sequence: Sendable, CustomStringConvertible {
        var description: String
        var tokens = 500
        var maxAttempts = 5
        var cap: Duration = .seconds(20)
        /// Status, tokens left, pause in milliseconds.
        var steps: [(status: HTTPStatus, tokens: Int, pause: Int?)]
    }

    @Test(arguments: [
        Sequence(
            description: "two failures, then a success that pays one retry back",
            maxAttempts: 3,
            steps: [(500, 486, 50), (500, 472, 100), (200, 486, nil)]
        ),
        Sequence(
            description: "no attempts left",
            maxAttempts: 3,
            steps: [(502, 486, 50), (502, 472, 100), (502, 472, nil)]
        ),
        Sequence(
            description: "spent after one retry",
            tokens: 14,
            maxAttempts: 3,
            steps: [(500, 0, 50), (502, 0, nil)]
        ),
        Sequence(description: "nothing to spend", tokens: 0, maxAttempts: 3, steps: [(500, 0, nil)]),
        Sequence(
            description: "pauses double",
            steps: [(500, 486, 50), (500, 472, 100), (500, 458, 200), (500, 444, 400), (500, 444, nil)]
        ),
        Sequence(
            description: "pauses are capped",
            cap: .milliseconds(200),
            steps: [(500, 486, 50), (500, 472, 100), (500, 458, 200), (500, 444, 200), (500, 444, nil)]
        ),
        Sequence(description: "less left than a retry costs", tokens: 20, steps: [(500, 6, 50), (502, 6, nil)]),
        Sequence(
            description: "a send that recovers",
            tokens: 30,
            steps: [(500, 16, 50), (502, 2, 100), (200, 16, nil)]
        ),
        Sequence(description: "the send after it", tokens: 16, steps: [(500, 2, 50), (200, 16, nil)]),
        Sequence(
            description: "throttling is cheaper, and slower",
            steps: [(429, 495, 1000), (503, 481, 100), (429, 476, 4000), (200, 481, nil)]
        ),
    ])
    func `tokens and pauses, answer by answer`(sequence: Sequence) async throws {
        let budget = RetryBudget(capacity: sequence.tokens)
        try await play(sequence, with: budget)
    }

    @Test func `what one send leaves is what the next one has`() async throws {
        let budget = RetryBudget(capacity: 30)
        try await play(
            Sequence(description: "first", steps: [(500, 16, 50), (502, 2, 100), (200, 16, nil)]),
            with: budget
        )
        try await play(Sequence(description: "second", steps: [(500, 2, 50), (200, 16, nil)]), with: budget)
        try await play(Sequence(description: "third", steps: [(200, 17, nil)]), with: budget)
        try await play(
            Sequence(description: "an answer is one, whatever it says", steps: [(404, 18, nil)]),
            with: budget
        )
    }

    private func play(_ sequence: Sequence, with budget: RetryBudget) async throws {
        let clock = ManualClock()
        let server = ConversationTransport()
        var policy = RetryPolicy.standard
        policy.maxAttempts = sequence.maxAttempts
        policy.backoff = .exponential(base: .milliseconds(50), cap: sequence.cap)
        let network = Network(
            actions: [RetryAction(policy, budget: budget, generator: HighestGenerator())],
            transport: server,
            configuration: .init(time: clock)
        )
        async let result = network.result(of: NetworkRequest(url: api))
        for step in sequence.steps {
            await server.nextExchange().respond(status: step.status)
            guard let pause = step.pause else { break }
            #expect(await clock.nextPause() == .milliseconds(pause))
            #expect(budget.available == step.tokens)
            clock.advance(by: .milliseconds(pause))
        }
        let status = await result.map(\.status.code).mapError { $0 as any Error }
        let last = try #require(sequence.steps.last)
        #expect((try? status.get()) ?? -1 == (last.status == 200 ? 200 : -1))
        #expect(budget.available == last.tokens)
    }

    @Test func `a spent budget shows in the note, and the answer is handed up`() async throws {
        let monitor = RecordingMonitor()
        let server = ScriptedTransport { NetworkResponse(status: 503, body: .bytes(Data("down".utf8)), request: $0) }
        let network = Network(
            actions: [RetryAction(budget: RetryBudget(capacity: 5))],
            transport: server,
            configuration: .init(time: ManualClock(), monitors: [monitor])
        )
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }

        #expect(error?.payloadData == Data("down".utf8))
        #expect(server.requests.count == 1)
        #expect(monitor.retryDecisions == [.giveUp(.status(503), .budgetSpent)])
    }

    @Test func `in an outage, a hundred sends at once make no more retries than the budget pays for`() async {
        let server = ScriptedTransport { NetworkResponse(status: 503, request: $0) }
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let network = Network(actions: [RetryAction(policy)], transport: server)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = await network.result(of: NetworkRequest(url: api)) } }
        }

        #expect(server.requests.count == 100 + 500 / 14)
    }

    @Test func `two actions of one send pay and are paid back each for itself`() async throws {
        func action(_ status: HTTPStatus, _ budget: RetryBudget) -> RetryAction {
            var policy = RetryPolicy.standard
            policy.backoff = .constant(.zero)
            policy.statuses = [status]
            return RetryAction(policy, budget: budget)
        }
        let (outer, inner) = (RetryBudget(), RetryBudget(cost: 3))
        let server = ScriptedTransport([.status(500), .status(503), .status(200)])
        let network = Network(actions: [action(503, outer), action(500, inner)], transport: server)
        _ = try await network.send(NetworkRequest(url: api))

        #expect(server.requests.count == 3)
        #expect(outer.available == outer.capacity)
        #expect(inner.available == inner.capacity)
    }

    @Test func `networks derived from one share its budget, and without a budget retries are free`() async {
        let server = ScriptedTransport { NetworkResponse(status: 503, request: $0) }
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let network = Network(actions: [RetryAction(policy, budget: RetryBudget(capacity: 14))], transport: server)
        _ = await network.result(of: NetworkRequest(url: api))
        _ = await network.adding(RecordingAction("A", log: EventLog())).result(of: NetworkRequest(url: api))
        #expect(server.requests.count == 3)

        let free = Network(actions: [RetryAction(policy, budget: nil)], transport: server)
        for _ in 0..<100 { _ = await free.result(of: NetworkRequest(url: api)) }
        #expect(server.requests.count == 303)
    }
}

private let api = URL(string: "https://api.test")!

extension RecordingMonitor {
    /// The decisions that were reported.
    var retryDecisions: [RetryDecision] {
        events.compactMap { event in
            guard case .note("RetryAction", let note) = event.kind else { return nil }
            return note as? RetryDecision
        }
    }
}
