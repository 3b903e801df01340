/// What is counted under one key, and who waits there: when the next may go, and who that is.
///
/// One of those who wait watches the clock; it calls the others when their turn comes.
struct RateLimitLine<Start: Comparable & Sendable>: Sendable {
    /// Somebody who came.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Waiter: Sendable {
        let ticket: Ticket
        let priority: UInt8
        let start: Start
    }

    /// How many more requests a server allows, and until when that holds.
    private struct Allowance: Sendable {
        var remaining: Int
        var end: Duration
    }

    private var bucket: TokenBucket?
    private var allowances: [String: Allowance] = [:]
    private var waiters: [Waiter] = []
    private var lastNumber: UInt64 = 0
    /// Who watches the clock.
    private(set) var watcher: Ticket?

    /// Two responses speak of the same window of time if their windows end as close to one another as this: servers round to
    /// seconds.
    private static var sameWindow: Duration { .seconds(1) }

    init(bucket: TokenBucket?) {
        self.bucket = bucket
    }

    /// How many wait.
    var waiting: Int { waiters.count }

    /// How long from now it takes until somebody may go, behind others who go first.
    func wait(at now: Duration, behind others: Int = 0) -> Duration {
        let own = bucket?.wait(for: others + 1, at: now) ?? .zero
        return allowances.values.reduce(own) { longest, allowance in
            allowance.remaining <= others ? max(longest, allowance.end - now) : longest
        }
    }

    /// How long somebody who comes now has to wait, as it looks.
    func expectedWait(at now: Duration, priority: UInt8, start: Start) -> Duration {
        wait(at: now, behind: position(priority: priority, start: start))
    }

    /// Counts a request that goes.
    mutating func take(at now: Duration) {
        bucket?.take(at: now)
        allowances = allowances.filter { $0.value.end > now }
        for name in allowances.keys { allowances[name]?.remaining -= 1 }
    }

    /// Puts somebody in line. If nobody watches the clock, they do.
    mutating func enter(priority: UInt8, start: Start) -> Ticket {
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        let waiter = Waiter(ticket: ticket, priority: priority, start: start)
        waiters.insert(waiter, at: position(priority: priority, start: start))
        if watcher == nil { watcher = ticket }
        return ticket
    }

    /// Takes the one who goes next out of the line and counts them. If they watched the clock, nobody does now.
    mutating func admitFirst(at now: Duration) -> Ticket? {
        guard !waiters.isEmpty else { return nil }
        take(at: now)
        let first = waiters.removeFirst().ticket
        if watcher == first { watcher = nil }
        return first
    }

    /// Takes somebody out of the line. If they watched the clock, nobody does now.
    ///
    /// - Returns: Whether they were in it.
    mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiters.remove(at: index)
        if watcher == ticket { watcher = nil }
        return true
    }

    /// Has the next one watch the clock if nobody does.
    ///
    /// - Returns: Who must be told.
    mutating func appointWatcher() -> Ticket? {
        guard watcher == nil, let first = waiters.first else { return nil }
        watcher = first.ticket
        return first.ticket
    }

    /// Heeds what a server said.
    mutating func heed(_ hint: RateLimitHint, at now: Duration, longest: Duration) {
        var new = Allowance(remaining: hint.remaining, end: now + min(hint.reset, longest))
        if let old = allowances[hint.name], old.end > now {
            let gap = old.end > new.end ? old.end - new.end : new.end - old.end
            if gap <= Self.sameWindow {
                // What was sent since the server counted is counted here only.
                new.remaining = min(old.remaining, new.remaining)
            }
            if old.remaining <= 0, new.remaining <= 0 { new.end = max(old.end, new.end) }
        }
        allowances[hint.name] = new
    }

    /// Whether it is as if nobody had ever been here.
    func isIdle(at now: Duration) -> Bool {
        waiters.isEmpty && bucket?.isFull(at: now) ?? true && allowances.values.allSatisfy { $0.end <= now }
    }

    /// How many go before somebody.
    private func position(priority: UInt8, start: Start) -> Int {
        var (low, high) = (0, waiters.count)
        while low < high {
            let middle = (low + high) / 2
            let other = waiters[middle]
            let goesBefore = priority == other.priority ? start < other.start : priority > other.priority
            if goesBefore { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
