/// Makes what callers are told of a send's progress out of the events of that send.
///
/// What it gives never falls and comes ten times a second at most, by the time of the events; the last of each direction comes
/// always.
package struct TransferMeter: Sendable {
    private var upload = TransferGauge(.upload)
    private var download = TransferGauge(.download)
    private var isAttemptRunning = false
    /// Whether the response of the attempt is what the caller downloads; `nil` until its head is in.
    private var isDownload: Bool?
    /// Where the download of the next attempt goes on.
    private var place: Int?
    /// Whether somebody has said where the download of the attempt goes on.
    private var isPlaceKnown = false
    /// Whether the response is the rest of a file. Until it is said where that goes on its bytes are not counted: from the
    /// beginning of the file they would be counted wrong.
    private var isPlaceNeeded = false
    /// What the attempt told last.
    private var attempt = AttemptProgress(bytesSent: 0, bytesReceived: 0)

    package init() {}

    /// Whether an event changes anything here.
    static func concerns(_ kind: SendEvent.Kind) -> Bool {
        switch kind {
        case .attemptBegan, .responseBegan, .progress, .resumed, .attemptEnded: true
        default: false
        }
    }

    /// Takes notice of an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - time: When.
    /// - Returns: What is to be told now, in this order.
    package mutating func take(_ event: SendEvent.Kind, at time: Duration) -> [TransferProgress] {
        switch event {
        case .attemptBegan:
            isAttemptRunning = true
            isDownload = nil
            isPlaceNeeded = false
            attempt = AttemptProgress(bytesSent: 0, bytesReceived: 0)
            upload.beginAttempt(at: 0)
            isPlaceKnown = place != nil
            download.beginAttempt(at: place.take() ?? 0)
        case .resumed(let start, let total):
            if !isAttemptRunning {
                place = start
                download.beginAttempt(at: start)
            }
            download.resume(at: start, of: total)
            if isAttemptRunning {
                isPlaceKnown = true
                receive(at: time)
            }
        case .responseBegan(let response):
            isDownload = response.isAcceptable
            isPlaceNeeded = response.status == .partialContent && response.request.download != nil
            receive(at: time)
            return [upload.tell(at: time, isLast: true), download.tell(at: time)].compactMap(\.self)
        case .progress(let progress):
            attempt = progress
            upload.move(to: progress.bytesSent, of: progress.bytesToSend, at: time)
            receive(at: time)
        case .attemptEnded:
            isAttemptRunning = false
            return [upload.tell(at: time, isLast: true), download.tell(at: time, isLast: true)].compactMap(\.self)
        default:
            return []
        }
        return [upload.tell(at: time), download.tell(at: time)].compactMap(\.self)
    }

    private mutating func receive(at time: Duration) {
        guard isDownload == true, isPlaceKnown || !isPlaceNeeded else { return }
        download.move(to: attempt.bytesReceived, of: attempt.bytesToReceive, at: time)
    }
}

/// How far one direction has got.
private struct TransferGauge: Sendable {
    /// What is told comes at least so far apart.
    private static let interval: Duration = .milliseconds(100)

    private let direction: TransferProgress.Direction
    /// The bytes that were there before the attempt, and those that it has moved.
    private var start = 0
    private var moved = 0
    private var mark = 0
    private var total: Int?
    private var rate = TransferRate()
    private var told: (progress: TransferProgress, time: Duration)?

    init(_ direction: TransferProgress.Direction) {
        self.direction = direction
    }

    mutating func beginAttempt(at start: Int) {
        self.start = start
        moved = 0
    }

    mutating func resume(at start: Int, of total: Int?) {
        self.start = start
        self.total = total ?? self.total
        mark = max(mark, start + moved)
    }

    mutating func move(to bytes: Int, of count: Int?, at time: Duration) {
        guard bytes > 0 else { return }
        if bytes > moved {
            rate.move(bytes - moved, at: time)
            moved = bytes
        }
        // A server can announce any length.
        let end = count.map(start.addingReportingOverflow)
        if let end, !end.overflow { total = end.partialValue }
        mark = max(mark, start + moved)
    }

    /// What is to be told, if there is anything new and it is not too soon.
    mutating func tell(at time: Duration, isLast: Bool = false) -> TransferProgress? {
        // Behind the mark, an attempt only repeats what was told.
        guard mark > 0, start + moved == mark else { return nil }
        let isWhole = mark == total
        let knownTotal = total.flatMap { mark <= $0 ? $0 : nil }
        let progress = TransferProgress(direction, completed: mark, total: knownTotal, rate: rate.bytesPerSecond)
        if let told {
            guard progress.completed > told.progress.completed || progress.total != told.progress.total else {
                return nil
            }
            guard isLast || isWhole || time - told.time >= Self.interval else { return nil }
        }
        told = (progress, time)
        return progress
    }
}
