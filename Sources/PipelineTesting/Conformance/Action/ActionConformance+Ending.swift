import Foundation
import Pipeline

extension ActionConformance {
    /// Sends end, each with its own answer.
    static let endingCases: [Case] = [
        Case("lets a send succeed") { stage in
            let transport = ScriptedTransport {
                NetworkResponse(status: 200, body: .bytes(Data("ok".utf8)), request: $0)
            }
            let result = await stage.network(over: transport).result(of: stage.request)
            try stage.expectNoDroppedCompletion(in: result)
            try stage.expectNoMisuse()
            guard case .success = result else { throw stage.broken("a response", saw: "\(result)") }
        },
        Case("lets a send end whose attempts fail") { stage in
            let transport = ScriptedTransport { _ in throw NetworkError(.connectionLost, reach: .no) }
            let result = await stage.network(over: transport).result(of: stage.request)
            try stage.expectNoDroppedCompletion(in: result)
            try stage.expectNoMisuse()
        },
        Case("lets a send end whatever the status") { stage in
            for code in [204, 301, 304, 400, 401, 403, 404, 407, 429, 500, 503] {
                let transport = ScriptedTransport { NetworkResponse(status: HTTPStatus(code), request: $0) }
                let result = await stage.network(over: transport).result(of: stage.request)
                try stage.expectNoDroppedCompletion(in: result)
                try stage.expectNoMisuse()
            }
        },
        Case("lets a cancelled send end") { stage in
            let transport = HangingTransport()
            let network = stage.network(over: transport)
            let request = stage.request
            let sending = Task {
                defer { transport.arrived.resolve(()) }  // An action that answers by itself lets nothing arrive.
                return await network.result(of: request)
            }
            await transport.arrived.valueOrCancellation()
            sending.cancel()
            let result = await sending.value
            try stage.expectNoMisuse()
            guard transport.wasReached else { return }
            guard case .failure(let error) = result, error.isCancellation else {
                throw stage.broken("cancellation", saw: "\(result)")
            }
        },
        Case("keeps sends that run at once apart") { stage in
            let network = stage.network(over: EchoTransport())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    var request = stage.request
                    request.url = request.url.appending(path: "\(number)")
                    group.addTask { [request] in
                        let body = try await network.send(request).body.collect()
                        let text = String(decoding: body, as: UTF8.self)
                        try stage.expect(text == request.url.path, "the answer to \(request.url.path)", saw: text)
                    }
                }
                try await group.waitForAll()
            }
        },
    ]
}

/// A transport that never answers.
private final class HangingTransport: Transport {
    /// Resolved when a request is here.
    let arrived = OneShot<Void>()
    private let reached = Locked(false)

    var wasReached: Bool { reached.withLock { $0 } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        reached.withLock { $0 = true }
        arrived.resolve(())
        await OneShot<Void>().valueOrCancellation()
        throw CancellationError()
    }
}

/// A transport that answers with the path of the request, after a while in which others come.
private struct EchoTransport: Transport {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try await SystemTime.shared.sleep(for: .milliseconds(5), purpose: PausePurpose(rawValue: "overlap"))
        return NetworkResponse(status: 200, body: .bytes(Data(request.url.path.utf8)), request: request)
    }
}
