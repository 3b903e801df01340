import Foundation
import Pipeline
import PipelineTesting

/// The custom property by which a request asks for the API key.
enum RequiresAPIKey: CustomPropertyKey {
    static let name = "requiresAPIKey"
    static let defaultValue = false
}

extension NetworkRequest {
    var requiresAPIKey: Bool { customProperties[RequiresAPIKey.self] }
}

/// Adds the key to the requests that ask for it. It stands in the hop zone: a redirect elsewhere does not get the key.
struct APIKeyAction: RequestWillBeginAction {
    let key: String

    var zone: ActionZone { .hop }
    var customPropertyKeys: [any CustomPropertyKey.Type] { [RequiresAPIKey.self] }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard request.requiresAPIKey else { return .proceed(request) }
        var request = request
        request.headers.setSensitive(key, for: "X-API-Key")
        return .proceed(request)
    }
}

/// Sends again what a busy server turned away.
struct RetryAction: ResponseCompletedAction {
    let maxAttempts: Int

    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        guard response.status == 503, request.method.isIdempotent, request.pass < maxAttempts else {
            return .deliver(response)
        }
        return .retry(after: .milliseconds(50 * request.pass))
    }
}

/// Writes down each phase as it happens, and shows it.
struct PhaseLog: RequestWillBeginAction, RequestBeganAction, ResponseBeganAction, ResponseCompletedAction {
    private let log = EventLog()

    var zone: ActionZone { .hop }
    var lines: [String] { log.lines }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        note("request will begin", request)
        return .proceed(request)
    }

    func requestBegan(_ request: NetworkRequest) {
        note("request began", request)
    }

    func responseBegan(_ response: NetworkResponse, for request: NetworkRequest) {
        note("response began", request)
    }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        switch outcome {
        case .success(let response): note("response completed \(response.status.code)", request)
        case .failure(let error): note("response completed \(error.code)", request)
        }
        return .deliver(try outcome.get())
    }

    private func note(_ phase: String, _ request: NetworkRequest) {
        let line = "\(request.method) \(request.url.path): \(phase)"
        log.append(line)
        print("  \(line)")
    }
}
