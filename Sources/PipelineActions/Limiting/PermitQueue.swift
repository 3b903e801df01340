import Pipeline

/// Who may go at once and who waits: in all, and at each host.
///
/// Of those who wait and whose host has room, the one with the highest priority goes next, and among equals the one whose send
/// began first. A host that is full holds up nobody who wants to go elsewhere. Whoever could have gone and was overtaken by
/// somebody who came later, as often as ``overtakingLimit`` says, goes before all to whom that has not happened.
struct PermitQueue<Start: Comparable & Sendable>: Sendable {
    /// Somebody who came.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    fileprivate struct Waiter {
        let number: UInt64
        let priority: UInt8
        let start: Start
        var overtakings = 0
        var isDue = false
    }

    fileprivate struct Host {
        var running = 0
        var line = Line()
    }

    /// Waiters in the order they go. Most go from the front and come at the end, so that both must be quick.
    fileprivate struct Line {
        private(set) var waiters: [Waiter] = []
        private var head = 0
        /// Whether everybody came in the order in which they go: then nobody in this line is overtaken.
        private var isInOrder = true
    }

    /// How many may run in all; any number if `nil`.
    let total: Int?
    /// How many may run at one host; any number if `nil`.
    let perHost: Int?
    /// How often somebody may be overtaken.
    let overtakingLimit: Int

    /// How many run.
    private(set) var running = 0
    private var hosts: [Origin: Host] = [:]
    private var waitingAt: [Ticket: Origin] = [:]
    private var lastNumber: UInt64 = 0

    /// Creates a queue in which nobody runs or waits.
    init(total: Int?, perHost: Int?, overtakingLimit: Int) {
        self.total = total.map { max(1, $0) }
        self.perHost = perHost.map { max(1, $0) }
        self.overtakingLimit = max(0, overtakingLimit)
    }

    /// How many wait.
    var waiting: Int { waitingAt.count }

    /// Whether there is nothing left of anybody.
    var isEmpty: Bool { running == 0 && waitingAt.isEmpty && hosts.isEmpty }

    /// Lets somebody go at once, or puts them in line.
    ///
    /// - Returns: Who it is, and whether they may go.
    mutating func enter(_ host: Origin, priority: UInt8, start: Start) -> (ticket: Ticket, mayGo: Bool) {
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        // Where there is room nobody waits: whoever could have gone has gone.
        if hasRoom, hasRoom(hosts[host] ?? Host()) {
            running += 1
            hosts[host, default: Host()].running += 1
            return (ticket, true)
        }
        hosts[host, default: Host()].line.insert(Waiter(number: lastNumber, priority: priority, start: start))
        waitingAt[ticket] = host
        return (ticket, false)
    }

    /// Notes that somebody who ran at a host has ended.
    ///
    /// - Returns: Who goes in their place, if anybody does.
    mutating func leave(_ host: Origin) -> Ticket? {
        running -= 1
        hosts[host]?.running -= 1
        let next = admitNext()
        tidy(host)
        return next
    }

    /// Takes somebody out of the line.
    ///
    /// - Returns: Whether they were in it; if not, they may go or have gone.
    mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let host = waitingAt.removeValue(forKey: ticket) else { return false }
        hosts[host]?.line.remove(ticket.number)
        tidy(host)
        return true
    }

    private var hasRoom: Bool { total.map { running < $0 } ?? true }

    private func hasRoom(_ host: Host) -> Bool { perHost.map { host.running < $0 } ?? true }

    private mutating func tidy(_ origin: Origin) {
        if let host = hosts[origin], host.running == 0, host.line.isEmpty { hosts[origin] = nil }
    }

    private mutating func admitNext() -> Ticket? {
        guard hasRoom, !waitingAt.isEmpty else { return nil }
        var best: (origin: Origin, waiter: Waiter)?
        for (origin, host) in hosts where hasRoom(host) {
            guard let first = host.line.first else { continue }
            if let best, !first.goesBefore(best.waiter) { continue }
            best = (origin, first)
        }
        guard let best else { return nil }
        for (origin, host) in hosts where hasRoom(host) && host.line.mayBeOvertaken(by: best.waiter) {
            hosts[origin]?.line.overtake(by: best.waiter, limit: overtakingLimit)
        }
        let ticket = Ticket(number: best.waiter.number)
        hosts[best.origin]?.line.remove(best.waiter.number)
        hosts[best.origin]?.running += 1
        waitingAt[ticket] = nil
        running += 1
        return ticket
    }
}

extension PermitQueue.Waiter {
    fileprivate func goesBefore(_ other: Self) -> Bool {
        if isDue != other.isDue { return isDue }
        if isDue { return number < other.number }
        if priority != other.priority { return priority > other.priority }
        return start == other.start ? number < other.number : start < other.start
    }
}

extension PermitQueue.Line {
    fileprivate var isEmpty: Bool { head == waiters.count }

    fileprivate var first: PermitQueue.Waiter? { isEmpty ? nil : waiters[head] }

    fileprivate mutating func insert(_ waiter: PermitQueue.Waiter) {
        var (low, high) = (head, waiters.count)
        while low < high {
            let middle = (low + high) / 2
            if waiter.goesBefore(waiters[middle]) { high = middle } else { low = middle + 1 }
        }
        if low < waiters.count { isInOrder = false }
        waiters.insert(waiter, at: low)
    }

    fileprivate mutating func remove(_ number: UInt64) {
        guard let index = waiters[head...].firstIndex(where: { $0.number == number }) else { return }
        if index == head { head += 1 } else { waiters.remove(at: index) }
        if isEmpty {
            self = Self()
        } else if head > 64, head > waiters.count / 2 {  // Now and then, so that it costs little for each.
            waiters.removeSubrange(..<head)
            head = 0
        }
    }

    /// Whether somebody in this line can have come before a waiter who goes now: quick to tell for most.
    fileprivate func mayBeOvertaken(by waiter: PermitQueue.Waiter) -> Bool {
        guard let first else { return false }
        return !isInOrder || first.number < waiter.number
    }

    /// Counts against everybody here who came before a waiter who goes now.
    fileprivate mutating func overtake(by other: PermitQueue.Waiter, limit: Int) {
        var due: [PermitQueue.Waiter] = []
        for index in waiters.indices[head...] where waiters[index].number < other.number && !waiters[index].isDue {
            waiters[index].overtakings += 1
            if waiters[index].overtakings >= limit { due.append(waiters[index]) }
        }
        for var waiter in due {
            remove(waiter.number)
            waiter.isDue = true
            insert(waiter)
        }
    }
}
