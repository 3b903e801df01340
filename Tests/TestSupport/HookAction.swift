package import Pipeline

/// An action whose hooks are closures, for what one test needs.
package struct HookAction: RequestWillBeginAction, ResponseCompletedAction {
    package typealias WillBegin = @Sendable (NetworkRequest) async throws -> RequestDecision
    package typealias Completed = @Sendable (Outcome, NetworkRequest) async throws -> ResponseDecision

    package let zone: ActionZone
    private let willBegin: WillBegin
    private let completed: Completed

    package init(
        zone: ActionZone = .send,
        willBegin: @escaping WillBegin = { .proceed($0) },
        completed: @escaping Completed = { outcome, _ in .deliver(try outcome.get()) }
    ) {
        self.zone = zone
        self.willBegin = willBegin
        self.completed = completed
    }

    package func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        try await willBegin(request)
    }

    package func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        try await completed(outcome, request)
    }
}

extension HookAction {
    /// Asks for a retry, without a pause unless told otherwise, whenever `isWanted` says so.
    package static func retrying(
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
