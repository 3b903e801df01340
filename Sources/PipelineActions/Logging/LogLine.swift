import Foundation

/// The line in which entries wait for the sinks of a ``Logger``: bounded, and served by a queue of its own.
final class LogLine: Sendable {
    private enum Item: Sendable {
        case entry(LogEntry, weight: Int)
        /// The entry that tells how many were dropped; it needs no room.
        case notice(LogEntry)
        case flush(Int)
    }

    private struct State: Sendable {
        var waiting: [Item] = []
        /// Entries that are in the line or with a sink now, and what they weigh.
        var count = 0
        var weight = 0
        var isServed = false
        /// Dropped since the line last said so.
        var unreported = 0
        var losses = Logger.Losses()
        var lastFlush = 0
        var flushes: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    /// Enough for a thousand entries of verbose logging, and little for any machine.
    private static let maximumWeight = 8_000_000

    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "Pipeline.Logger", qos: .utility)
    private let sinks: [any LogSink]
    private let maximumCount: Int
    private let notice: @Sendable (Int) -> LogEntry

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - sinks: Who is served.
    ///   - maximumCount: How many entries may wait.
    ///   - notice: Makes the entry that tells how many were dropped.
    init(sinks: [any LogSink], maximumCount: Int, notice: @escaping @Sendable (Int) -> LogEntry) {
        self.sinks = sinks
        self.maximumCount = max(1, maximumCount)
        self.notice = notice
    }

    var losses: Logger.Losses { state.withLock { $0.losses } }

    /// Puts an entry at the end, or drops it if the line is full.
    func add(_ entry: LogEntry) {
        let weight = entry.weight
        let mustServe = state.withLock { state in
            // An entry that is too heavy by itself goes when it is alone.
            let isFull = state.count >= maximumCount || state.count > 0 && state.weight + weight > Self.maximumWeight
            guard !isFull else {
                state.unreported += 1
                state.losses.dropped += 1
                return false
            }
            addNotice(to: &state)
            state.waiting.append(.entry(entry, weight: weight))
            state.count += 1
            state.weight += weight
            return startServing(&state)
        }
        if mustServe { serve() }
    }

    /// Waits until everything before it was served.
    func flush() async {
        let id = state.withLock { state in
            state.lastFlush += 1
            return state.lastFlush
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let (isOver, mustServe) = state.withLock { state in
                    if Task.isCancelled { return (true, false) }
                    state.flushes[id] = continuation
                    addNotice(to: &state)
                    state.waiting.append(.flush(id))
                    return (false, startServing(&state))
                }
                if isOver { continuation.resume() }
                if mustServe { serve() }
            }
        } onCancel: {
            endFlush(id)
        }
    }

    private func endFlush(_ id: Int) {
        state.withLock { $0.flushes.removeValue(forKey: id) }?.resume()
    }

    private func startServing(_ state: inout State) -> Bool {
        defer { state.isServed = true }
        return !state.isServed
    }

    private func addNotice(to state: inout State) {
        guard state.unreported > 0 else { return }
        state.waiting.append(.notice(notice(state.unreported)))
        state.unreported = 0
    }

    /// Serves the line on the queue until it is empty. What waits keeps the line alive, so nothing is lost with its logger.
    private func serve() {
        queue.async { [self] in
            while let items = nextItems() {
                for item in items { serve(item) }
            }
        }
    }

    /// What waits, or `nil` if nothing does; then the line is served no more.
    private func nextItems() -> [Item]? {
        state.withLock { state in
            addNotice(to: &state)
            guard !state.waiting.isEmpty else {
                state.isServed = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func serve(_ item: Item) {
        switch item {
        case .entry(let entry, let weight):
            tellSinks { try $0.write(entry) }
            state.withLock { state in
                state.count -= 1
                state.weight -= weight
            }
        case .notice(let entry):
            tellSinks { try $0.write(entry) }
        case .flush(let id):
            tellSinks { try $0.flush() }
            endFlush(id)
        }
    }

    private func tellSinks(_ body: (any LogSink) throws -> Void) {
        for sink in sinks {
            do { try body(sink) } catch { state.withLock { $0.losses.failed += 1 } }
        }
    }
}
