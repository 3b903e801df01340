/// A line in which requests wait until there is room: in all, and at their host.
///
/// Those of higher priority go first, and among equals those that came first. A host that is full holds up nobody who wants to
/// go elsewhere.
package struct AdmissionQueue<Element> {
    fileprivate struct Waiter {
        let element: Element
        let priority: UInt8
        let number: UInt64
    }

    fileprivate struct Host {
        var running = 0
        var line = Line()
    }

    /// Waiters in the order they go. One who comes goes to the end, mostly, so that both ends must be quick.
    fileprivate struct Line {
        private var waiters: [Waiter] = []
        private var head = 0
    }

    private let perHost: Int
    private let inAll: Int
    private var hosts: [Origin: Host] = [:]
    /// Where the host is that was asked for last: mostly the next one too, so that its name need not be hashed again.
    private var lastPlace: Dictionary<Origin, Host>.Index?
    private var running = 0
    private var waiting = 0
    private var lastNumber: UInt64 = 0

    /// Creates an empty line.
    ///
    /// - Parameters:
    ///   - perHost: How many may run at one host; at least one.
    ///   - inAll: How many may run in all; at least one.
    package init(perHost: Int, inAll: Int) {
        self.perHost = max(1, perHost)
        self.inAll = max(1, inAll)
    }

    /// Whether nobody runs or waits.
    package var isEmpty: Bool { running == 0 && waiting == 0 }

    /// Admits an element at once, or puts it in line.
    ///
    /// - Returns: Whether it may go.
    package mutating func admit(_ element: Element, to origin: Origin, priority: UInt8) -> Bool {
        let place = place(of: origin) ?? add(origin)
        if running < inAll, hosts.values[place].running < perHost, hosts.values[place].line.first == nil {
            hosts.values[place].running += 1
            running += 1
            return true
        }
        lastNumber += 1
        hosts.values[place].line.insert(Waiter(element: element, priority: priority, number: lastNumber))
        waiting += 1
        return false
    }

    private mutating func place(of origin: Origin) -> Dictionary<Origin, Host>.Index? {
        if let lastPlace, hosts.keys[lastPlace] == origin { return lastPlace }
        lastPlace = hosts.index(forKey: origin)
        return lastPlace
    }

    private mutating func add(_ origin: Origin) -> Dictionary<Origin, Host>.Index {
        lastPlace = nil  // No place outlives a host that comes or goes.
        hosts[origin] = Host()
        guard let place = place(of: origin) else { preconditionFailure("what was added is there") }
        return place
    }

    private mutating func remove(at place: Dictionary<Origin, Host>.Index) {
        lastPlace = nil
        hosts.remove(at: place)
    }

    /// Notes that somebody at a host has ended.
    package mutating func leave(_ origin: Origin) {
        running -= 1
        guard let place = place(of: origin) else { return }
        hosts.values[place].running -= 1
        if hosts.values[place].running == 0, hosts.values[place].line.first == nil { remove(at: place) }
    }

    /// Takes the next one who may go; `nil` if there is no room or nobody waits.
    package mutating func next() -> Element? {
        guard waiting > 0, running < inAll else { return nil }
        var best: (origin: Origin, waiter: Waiter)?
        for (origin, host) in hosts where host.running < perHost {
            guard let first = host.line.first else { continue }
            if let best, !first.goesBefore(best.waiter) { continue }
            best = (origin, first)
        }
        guard let best else { return nil }
        hosts[best.origin]?.line.removeFirst()
        hosts[best.origin]?.running += 1
        waiting -= 1
        running += 1
        return best.waiter.element
    }

    /// Takes everybody who waits, in no order.
    package mutating func removeWaiting() -> [Element] {
        let elements = hosts.values.flatMap { $0.line.elements }
        waiting = 0
        for origin in hosts.keys { hosts[origin]?.line = Line() }
        lastPlace = nil
        hosts = hosts.filter { $0.value.running > 0 }
        return elements
    }
}

extension AdmissionQueue.Waiter {
    fileprivate func goesBefore(_ other: Self) -> Bool {
        priority == other.priority ? number < other.number : priority > other.priority
    }
}

extension AdmissionQueue.Line {
    fileprivate var first: AdmissionQueue.Waiter? { head < waiters.count ? waiters[head] : nil }

    fileprivate var elements: [Element] { waiters[head...].map(\.element) }

    /// Puts a waiter behind all who go before it.
    fileprivate mutating func insert(_ waiter: AdmissionQueue.Waiter) {
        var (low, high) = (head, waiters.count)
        while low < high {
            let middle = (low + high) / 2
            if waiter.goesBefore(waiters[middle]) { high = middle } else { low = middle + 1 }
        }
        waiters.insert(waiter, at: low)
    }

    fileprivate mutating func removeFirst() {
        head += 1
        // Now and then, so that it costs little for each.
        guard head > 64, head > waiters.count / 2 else { return }
        waiters.removeSubrange(..<head)
        head = 0
    }
}
