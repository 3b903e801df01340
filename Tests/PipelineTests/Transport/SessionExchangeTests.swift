import Foundation
import PipelineTesting
import Testing

@testable import Pipeline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct SessionExchangeTests {
    @Test func `tells how much was sent when the response ends while it is being taken over`() async throws {
        let url = try #require(URL(string: "https://example.com"))
        // Which comes first is a matter of luck, so it is tried often.
        for _ in 0..<200 {
            let progress = ProgressRecorder()
            let network = Network(
                transport: AnsweringExchange(),
                configuration: .init(time: SystemTime.shared, monitors: [progress])
            )
            _ = try await network.send(NetworkRequest(method: .post, url: url, body: .text("12345")))
            try #require(progress.last?.bytesSent == 5)
        }
    }
}

/// Plays the session of an exchange, which answers at once and on another thread.
private struct AnsweringExchange: Transport {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let exchange = SessionExchange(request: request, upload: try await SessionUpload(request.body))
        let answer = try #require(
            HTTPURLResponse(url: request.url, statusCode: 200, httpVersion: nil, headerFields: nil)
        )
        DispatchQueue.global().async {
            exchange.sent(2)
            exchange.sent(5)  // Too soon after the one before to be told.
            exchange.receive(answer)
            exchange.complete(response: answer, error: nil)
        }
        return try await exchange.response()
    }
}

private final class ProgressRecorder: EventMonitor {
    private let recorded = Locked<AttemptProgress?>(nil)

    var last: AttemptProgress? { recorded.withLock { $0 } }

    func record(_ event: SendEvent) {
        if case .progress(let progress) = event.kind { recorded.withLock { $0 = progress } }
    }
}
