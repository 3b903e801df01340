import Pipeline

/// An action whose hooks are closures, for the policy that one test needs.
struct HookAction: RequestWillBeginAction, ResponseCompletedAction {
    var zone = ActionZone.send
    var willBegin: @Sendable (NetworkRequest) async throws -> RequestDecision = { .proceed($0) }
    var completed: @Sendable (Outcome, NetworkRequest) async throws -> ResponseDecision = { outcome, _ in
        .deliver(try outcome.get())
    }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        try await willBegin(request)
    }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        try await completed(outcome, request)
    }
}
