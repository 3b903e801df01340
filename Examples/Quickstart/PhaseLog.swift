import Foundation
import Pipeline
import PipelineTesting

/// An action of one's own: it writes down each phase as it happens, and shows it.
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
