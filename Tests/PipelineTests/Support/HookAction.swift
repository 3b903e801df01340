import Pipeline

/// An action whose hooks are closures, for rules that one test needs.
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

extension HookAction {
    /// Asks for a retry, without a pause unless told otherwise, whenever `isWanted` says so.
    static func retrying(
        zone: ActionZone = .send,
        after pause: Duration = .zero,
        when isWanted: @escaping @Sendable (Outcome, NetworkRequest) -> Bool
    ) -> HookAction {
        HookAction(
            zone: zone,
            completed: { outcome, request in
                isWanted(outcome, request) ? .retry(after: pause) : .deliver(try outcome.get())
            }
        )
    }
}

extension Outcome {
    /// The status, or the code of the error.
    var summary: String {
        switch self {
        case .success(let response): "\(response.status.code)"
        case .failure(let error): error.code.rawValue
        }
    }

    var status: Int? { (try? get())?.status.code }
}
