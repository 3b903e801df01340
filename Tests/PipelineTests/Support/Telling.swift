import Pipeline
import PipelineTesting

/// Keeps what a face tells of progress, and lets a test wait for it.
final class Telling: Sendable {
    private let recorded = Locked<[TransferProgress]>([])
    private let (arrivals, arrival) = AsyncStream.makeStream(of: TransferProgress.self)
    private let onProgress: @Sendable (TransferProgress) -> Void

    init(_ onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }) {
        self.onProgress = onProgress
    }

    /// All there was so far.
    var all: [TransferProgress] { recorded.withLock { $0 } }

    /// Waits for the next.
    func next() async -> TransferProgress {
        var arrivals = arrivals.makeAsyncIterator()
        return await arrivals.next() ?? TransferProgress(.upload, completed: -1)
    }

    @Sendable func note(_ progress: TransferProgress) {
        recorded.withLock { $0.append(progress) }
        arrival.yield(progress)
        onProgress(progress)
    }
}

extension ConversationTransport.Exchange {
    /// Reports what a transport would.
    func reports(sent: Int, of toSend: Int? = nil, received: Int = 0, of toReceive: Int? = nil) {
        request.context.report(
            .progress(
                AttemptProgress(
                    bytesSent: sent,
                    bytesToSend: toSend,
                    bytesReceived: received,
                    bytesToReceive: toReceive
                )
            )
        )
    }
}
