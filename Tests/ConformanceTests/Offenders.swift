import Foundation
import Pipeline
import PipelineTesting

/// An action that breaks a rule.
struct Offender: Sendable, CustomStringConvertible {
    let rule: String
    let makeAction: @Sendable () -> any Action

    init(_ rule: String, _ makeAction: @escaping @Sendable () -> any Action) {
        self.rule = rule
        self.makeAction = makeAction
    }

    var description: String { rule }
}

/// One action that breaks it for each rule of ``ActionConformance``.
let offenders: [Offender] = [
    Offender("lets a send succeed") { DoubleCallAction() },
    Offender("lets a send end whose attempts fail") {
        CompletedAction { outcome in
            if case .failure = outcome { await hang() }
        }
    },
    Offender("lets a send end whatever the status") {
        CompletedAction { outcome in
            if case .success(let response) = outcome, response.status.code == 404 { await hang() }
        }
    },
    Offender("lets a cancelled send end") {
        CompletedAction { outcome in
            if case .failure(let error) = outcome, error.isCancellation { await hang() }
        }
    },
    Offender("keeps sends that run at once apart") { MemoryAction() },
    Offender("hands on a stream before its body has come") {
        ReplacingAction { response in response.body = .bytes(try await response.body.collect()) }
    },
    Offender("leaves a streamed body whole") {
        ReplacingAction { response in
            var chunks = response.body.makeAsyncIterator()
            _ = try await chunks.next()
        }
    },
    Offender("lets go of a stream that its reader drops") { HoardingAction() },
    Offender("lets a stream break off") {
        ReplacingAction { response in
            guard let old = response.body.stream else { return }
            let pipe = BodyPipe()
            response.body = .stream(BodyStream(pipe))
            Task {
                if let data = try? await old.collect() { pipe.write(data) }
                pipe.finish()
            }
        }
    },
    Offender("keeps custom properties") { ChangingAction { $0.customProperties = [:] } },
    Offender("keeps header fields it does not own") { ChangingAction { $0.headers = ["X-Own": "1"] } },
    Offender("keeps the options of a request") {
        ChangingAction { $0 = NetworkRequest(url: $0.url, headers: $0.headers, customProperties: $0.customProperties) }
    },
    Offender("releases requests, responses and itself") { HoardingAction() },
]

/// Waits for ever, whatever happens to the task.
private func hang() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

/// Calls its completion handler twice.
private struct DoubleCallAction: RequestWillBeginCallbackAction {
    func requestWillBegin(_ request: NetworkRequest, completion: ActionCompletion<RequestDecision>) {
        completion(.proceed(request))
        completion(.proceed(request))
    }
}

/// Does something with each outcome before it passes it on.
private struct CompletedAction: ResponseCompletedAction {
    let work: @Sendable (Outcome) async -> Void

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        await work(outcome)
        return .deliver(try outcome.get())
    }
}

/// Does something to each response.
private struct ReplacingAction: ResponseCompletedAction {
    let replace: @Sendable (inout NetworkResponse) async throws -> Void

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        var response = try outcome.get()
        try await replace(&response)
        return .deliver(response)
    }
}

/// Does something to each request.
private struct ChangingAction: RequestWillBeginAction {
    let change: @Sendable (inout NetworkRequest) -> Void

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        change(&request)
        return .proceed(request)
    }
}

/// Remembers in itself what belongs to a send.
private final class MemoryAction: RequestWillBeginAction, ResponseCompletedAction {
    private let last = Locked<String?>(nil)

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        last.withLock { $0 = request.url.path }
        return .proceed(request)
    }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        var response = try outcome.get()
        response.body = .bytes(Data((last.withLock { $0 } ?? "").utf8))
        return .deliver(response)
    }
}

/// Keeps responses where they outlive it.
private struct HoardingAction: ResponseCompletedAction {
    private static let hoard = Locked<[NetworkResponse]>([])

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        Self.hoard.withLock { $0.append(response) }
        return .deliver(response)
    }
}
