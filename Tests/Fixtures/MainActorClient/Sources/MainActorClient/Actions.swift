import Foundation
import Pipeline

enum RequiresAuthentication: CustomPropertyKey {
    static let name = "requiresAuthentication"
    static let defaultValue = false
}

// `nonisolated`, since actions read it on the send's task.
nonisolated extension NetworkRequest {
    var requiresAuthentication: Bool { customProperties[RequiresAuthentication.self] }
}

/// Where a token lives in an app: on the main actor.
final class Session {
    var token = "secret"
    var failures = 0
}

/// Asks the main actor for a token.
struct TokenAction: RequestWillBeginAction {
    let session: Session

    var zone: ActionZone { .hop }
    var customPropertyKeys: [any CustomPropertyKey.Type] { [RequiresAuthentication.self] }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard request.requiresAuthentication else { return .proceed(request) }
        var request = request
        request.headers["Authorization"] = "Bearer \(await session.token)"
        return .proceed(request)
    }
}

/// All four phases, the asynchronous ones in their completion-handler forms.
struct RetryAction: RequestWillBeginCallbackAction, RequestBeganAction, ResponseBeganAction,
    ResponseCompletedCallbackAction
{
    private enum Begun: ContextKey {
        static let defaultValue = 0
    }

    func requestWillBegin(_ request: NetworkRequest, completion: ActionCompletion<RequestDecision>) {
        DispatchQueue.global().async { completion(.proceed(request)) }
    }

    func requestBegan(_ request: NetworkRequest) {
        request.context.store[Begun.self] += 1
    }

    func responseBegan(_ response: NetworkResponse, for request: NetworkRequest) {
        precondition(request.context.store[Begun.self] > 0)
    }

    func responseCompleted(
        _ outcome: Outcome,
        for request: NetworkRequest,
        completion: ActionCompletion<ResponseDecision>
    ) {
        switch outcome {
        case .success(let response) where response.status == 503 && request.pass == 1:
            completion(.retry(after: .milliseconds(1)))
        case .success(let response):
            completion(.deliver(response))
        case .failure(let error):
            completion(throwing: error)
        }
    }
}

/// Counts failures, in a hook that runs on the main actor. The hook has to say so itself: actions are not isolated by
/// default, whatever the module's default is.
struct FailureCount: ResponseCompletedAction {
    let session: Session

    @MainActor
    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        if case .success(let response) = outcome, !response.isAcceptable { session.failures += 1 }
        return .deliver(try outcome.get())
    }
}

struct MarkAction: RequestWillBeginAction {
    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        request.headers["X-Mark"] = "1"
        return .proceed(request)
    }
}

struct PrintingMonitor: EventMonitor {
    func record(_ event: SendEvent) {
        if case .misuse(let action, let text) = event.kind { print("misuse by \(action): \(text)") }
    }
}
