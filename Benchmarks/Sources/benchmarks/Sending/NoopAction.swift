import Pipeline

/// Takes part in all four phases and changes nothing.
struct NoopAction: RequestWillBeginAction, RequestBeganAction, ResponseBeganAction, ResponseCompletedAction {
    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision { .proceed(request) }

    func requestBegan(_ request: NetworkRequest) {}

    func responseBegan(_ response: NetworkResponse, for request: NetworkRequest) {}

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        .deliver(try outcome.get())
    }
}
