/// Hears how far one send gets, and hands that to one reader: the latest of each direction, until the send has ended.
final class TransferListener: Action, EventMonitor {
    private struct State: Sendable {
        var meter = TransferMeter()
        /// What the reader has not taken yet; one value of a direction at most.
        var news: [TransferProgress] = []
        var main = TransferProgress.Direction.download
        var isOver = false
        var reader: OneShot<Void>?
    }

    private let state = Locked(State())

    /// The direction that the request is about.
    var mainDirection: TransferProgress.Direction { state.withLock { $0.main } }

    func record(_ event: SendEvent) {
        if case .began(let request) = event.kind {
            if request.box.options.isUpload { state.withLock { $0.main = .upload } }
            return
        }
        guard TransferMeter.concerns(event.kind) else { return }
        let reader = state.withLock { state -> OneShot<Void>? in
            guard !state.isOver else { return nil }
            let news = state.meter.take(event.kind, at: event.time)
            guard !news.isEmpty else { return nil }
            for progress in news {
                if let index = state.news.firstIndex(where: { $0.direction == progress.direction }) {
                    state.news[index] = progress
                } else {
                    state.news.append(progress)
                }
            }
            return state.reader.take()
        }
        reader?.resolve(())
    }

    /// Notes that the send has ended: nothing is taken notice of any more.
    func finish() {
        let reader = state.withLock { state in
            state.isOver = true
            return state.reader.take()
        }
        reader?.resolve(())
    }

    /// Waits for something to tell.
    ///
    /// - Returns: The progress, or `nil` once the send has ended and everything is told.
    func next() async -> TransferProgress? {
        while true {
            let reader: OneShot<Void>? = state.withLock { state in
                guard state.news.isEmpty, !state.isOver else { return nil }
                let reader = OneShot<Void>()
                state.reader = reader
                return reader
            }
            if let reader { await reader.value() }
            let (progress, isOver) = state.withLock { state in
                (state.news.isEmpty ? nil : state.news.removeFirst(), state.isOver)
            }
            if progress != nil || isOver { return progress }
        }
    }
}
