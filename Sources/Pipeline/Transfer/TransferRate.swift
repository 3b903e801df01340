/// How fast bytes move: their number over the last few seconds. It counts from the first that it is told of.
package struct TransferRate: Sendable {
    /// So far back it looks: long enough to be steady, short enough to follow a connection that changes.
    package static let window: Duration = .seconds(4)

    /// Over less than this, what fills the system's buffers at once would pass for speed.
    package static let shortest: Duration = .milliseconds(500)

    /// Samples stand at least so far apart, or a transport that tells much would fill the memory with them.
    private static let step: Duration = .milliseconds(100)

    private struct Sample: Sendable {
        var time: Duration
        var moved: Int
    }

    private var samples: [Sample] = []
    private var moved = 0

    package init() {}

    /// Notes bytes that moved since the last time.
    package mutating func move(_ bytes: Int, at time: Duration) {
        moved += bytes
        let isClose = samples.count > 1 && time - samples[samples.count - 2].time < Self.step
        if isClose || samples.last?.time == time { samples.removeLast() }
        samples.append(Sample(time: time, moved: moved))
        // One sample at or behind the edge of the window stays, to measure from.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// Bytes a second; `nil` as long as it is too early to tell.
    package var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.shortest else {
            return nil
        }
        return Double(last.moved - first.moved) / ((last.time - first.time) / .seconds(1))
    }
}
