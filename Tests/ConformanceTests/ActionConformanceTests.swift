import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ActionConformanceTests {
    @Test(arguments: obedient)
    func `finds nothing in an action that keeps the rules`(_ makeAction: @escaping @Sendable () -> any Action) async {
        let violations = await ActionConformance.violations(of: makeAction)
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(arguments: offenders)
    func `finds the rule that an action breaks`(_ offender: Offender) async {
        let violations = await ActionConformance.violations(patience: .milliseconds(500), of: offender.makeAction)
        #expect(violations.map(\.rule).contains(offender.rule), "\(violations)")
    }

    @Test func `has an offender for each rule`() {
        #expect(Set(offenders.map(\.rule)) == Set(ActionConformance.cases.map(\.name)))
    }
}

private let obedient: [@Sendable () -> any Action] = [
    { RecordingAction("A", log: EventLog()) },
    { RecordingAction("A", log: EventLog(), zone: .hop) },
    { RedirectAction() },
    { StubbornRetryAction() },
    { PeekingAction() },
]

/// Retries for ever: the engine ends it.
private struct StubbornRetryAction: ResponseCompletedAction {
    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        if case .success(let response) = outcome, response.status.code < 500 { return .deliver(response) }
        return .retry(after: .seconds(3600))
    }
}

/// Looks at bodies in the way that leaves them whole, once they begin to come.
private struct PeekingAction: ResponseBeganAction {
    func responseBegan(_ response: NetworkResponse, for request: NetworkRequest) {
        guard let stream = response.body.stream else { return }
        stream.onEnd { _ in }
    }
}
