import Foundation
import Pipeline

extension TransportConformance {
    /// How far the bodies of an attempt have got is reported while they move, and at their ends.
    static let progressCases: [Case] =
        [exchangeCase("bytes") { .bytes($0) }, exchangeCase("a stream") { stream(of: [$0], length: $0.count) }] + [
            Case("tells how far a body has got that is read while it arrives") { stage in
                let sample = ConformanceStage.pattern(3_000_000)
                stage.server.handle { _ in .status(200, body: sample) }
                let watch = ProgressWatch()
                var request = stage.request()
                request.delivery = .stream
                _ = try await watch.network(over: stage).send(request).body.collect()
                try stage.expectOrder(of: watch.progress)
                try stage.expect("the bytes that came", watch.progress.last?.bytesReceived, is: sample.count)
            },
            Case("tells how far a body had got that breaks off") { stage in
                let sample = ConformanceStage.pattern(200_000)
                stage.server.handle { _ in [.head(200, headers: ["Content-Length": "400000"]), .bytes(sample), .close] }
                let watch = ProgressWatch()
                let result = await watch.network(over: stage).result(of: stage.request())
                guard case .failure = result else { throw stage.broken("an error", saw: "\(result)") }
                try stage.expect(
                    "the last progress",
                    watch.progress.last,
                    is: AttemptProgress(bytesSent: 0, bytesToSend: 0, bytesReceived: 200_000, bytesToReceive: 400_000)
                )
            },
            Case("tells that a body is being sent while its receiver is slow") { stage in
                let gate = LoopbackGate()
                stage.server.handleHead("POST", "/") { _ in .readBody(after: [.wait(gate)]) }
                stage.server.handle("POST", "/") { _ in .empty() }
                let watch = ProgressWatch { if $0.bytesSent > 0 { gate.open() } }
                let size = 16_000_000
                let request = stage.request(.post, body: .bytes(ConformanceStage.pattern(size)))
                _ = try await watch.network(over: stage).send(request)
                try stage.expectOrder(of: watch.progress)
                try stage.expect("the bytes that were sent", watch.progress.last?.bytesSent, is: size)
            },
            Case("tells that a body is arriving while its sender is slow") { stage in
                let gate = LoopbackGate()
                let half = ConformanceStage.pattern(100_000)
                stage.server.handle { _ in
                    [.head(200, headers: ["Content-Length": "200000"]), .bytes(half), .wait(gate), .bytes(half)]
                }
                let watch = ProgressWatch { if $0.bytesReceived > 0 { gate.open() } }
                _ = try await watch.network(over: stage).send(stage.request())
                try stage.expectOrder(of: watch.progress)
                try stage.expect("the bytes that came", watch.progress.last?.bytesReceived, is: 200_000)
            },
            Case("tells no size for a compressed body") { stage in
                stage.server.handle { _ in
                    .status(200, headers: ["Content-Encoding": "gzip"], body: ContentSample.gzip)
                }
                let watch = ProgressWatch()
                let body = try await watch.network(over: stage).send(stage.request()).body.collect()
                try stage.expect(
                    "the last progress",
                    watch.progress.last,
                    is: AttemptProgress(bytesSent: 0, bytesToSend: 0, bytesReceived: body.count)
                )
            },
        ]

    private static func exchangeCase(
        _ name: String,
        _ makeBody: @escaping @Sendable (Data) -> RequestBody
    ) -> Case {
        Case("tells how far the bodies have got, up to their ends, with \(name)") { stage in
            let sample = ConformanceStage.pattern(3_000_000)
            stage.server.handle("POST", "/") { _ in .status(200, body: sample) }
            let watch = ProgressWatch()
            _ = try await watch.network(over: stage).send(stage.request(.post, body: makeBody(sample)))
            let size = sample.count
            try stage.expectOrder(of: watch.progress)
            try stage.expect(
                "the last progress",
                watch.progress.last,
                is: AttemptProgress(bytesSent: size, bytesToSend: size, bytesReceived: size, bytesToReceive: size)
            )
        }
    }
}

extension ConformanceStage {
    /// What is told of an attempt goes one way only.
    fileprivate func expectOrder(of progress: [AttemptProgress]) throws {
        for counts in [progress.map(\.bytesSent), progress.map(\.bytesReceived)] {
            try expect(counts == counts.sorted(), "counts that never fall", saw: "\(counts)")
        }
    }
}

/// Hears how far the bodies get.
private final class ProgressWatch: EventMonitor {
    private let recorded = Locked<[AttemptProgress]>([])
    private let onProgress: @Sendable (AttemptProgress) -> Void

    init(_ onProgress: @escaping @Sendable (AttemptProgress) -> Void = { _ in }) {
        self.onProgress = onProgress
    }

    var progress: [AttemptProgress] { recorded.withLock { $0 } }

    func network(over stage: ConformanceStage) -> Network {
        Network(transport: stage.transport, configuration: .init(time: SystemTime.shared, monitors: [self]))
    }

    func record(_ event: SendEvent) {
        guard case .progress(let progress) = event.kind else { return }
        recorded.withLock { $0.append(progress) }
        onProgress(progress)
    }
}
