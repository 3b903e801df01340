import Dispatch

/// All the time limits of one clock, on a single timer.
///
/// A program with thousands of sends has thousands of limits that almost never strike. So adding and lifting one must be
/// cheap, and a lifted limit must be gone at once: a binary heap whose entries know their place.
final class DeadlineQueue: Sendable {
    private struct State {
        var heap: [Entry] = []
        /// When the timer is set to fire; `nil` while it rests.
        var alarm: Duration?
    }

    private let state = Locked(State())
    private nonisolated(unsafe) let timer: any DispatchSourceTimer  // Dispatch objects are safe on any thread.

    init() {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "pipeline.deadlines", qos: .userInitiated))
        timer.setEventHandler { [weak self] in self?.strike() }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// Adds a limit that strikes at `deadline`, given as time since the machine started.
    func add(at deadline: Duration, expire: @escaping @Sendable () -> Void) -> Entry {
        let entry = Entry(queue: self, deadline: deadline, expire: expire)
        state.withLock { state in
            state.heap.insert(entry)
            setAlarm(&state)
        }
        return entry
    }

    fileprivate func remove(_ entry: Entry) {
        state.withLock { state in
            // The timer stays as it is: waking once for nothing is cheaper than setting it for each send.
            state.heap.remove(entry)
        }
    }

    private func strike() {
        let now = Duration.nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
        let due = state.withLock { state -> [Entry] in
            var due: [Entry] = []
            while let first = state.heap.first, first.deadline <= now {
                state.heap.remove(first)
                due.append(first)
            }
            state.alarm = nil
            setAlarm(&state)
            return due
        }
        for entry in due { entry.expire() }
    }

    private func setAlarm(_ state: inout State) {
        guard let first = state.heap.first else { return }
        if let alarm = state.alarm, alarm <= first.deadline { return }
        state.alarm = first.deadline
        let nanoseconds = max(0, first.deadline.inSeconds * 1e9)
        let isReachable = nanoseconds < 9e18  // About 285 years; beyond it there is nothing to set.
        guard isReachable else { return }
        timer.schedule(
            deadline: DispatchTime(uptimeNanoseconds: UInt64(nanoseconds)),
            leeway: .milliseconds(1)
        )
    }

    /// One limit in the queue.
    final class Entry: TimeLimitHandle {
        private let queue: DeadlineQueue
        let deadline: Duration
        let expire: @Sendable () -> Void
        /// Where the entry stands in the heap, -1 when it left. Read and written under the queue's lock.
        fileprivate nonisolated(unsafe) var index = -1  // Guarded by the queue's lock.

        fileprivate init(queue: DeadlineQueue, deadline: Duration, expire: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.deadline = deadline
            self.expire = expire
        }

        func lift() {
            queue.remove(self)
        }
    }
}

extension [DeadlineQueue.Entry] {
    fileprivate mutating func insert(_ entry: DeadlineQueue.Entry) {
        entry.index = count
        append(entry)
        rise(from: entry.index)
    }

    fileprivate mutating func remove(_ entry: DeadlineQueue.Entry) {
        let hole = entry.index
        guard hole >= 0 else { return }
        entry.index = -1
        let last = removeLast()
        guard last !== entry else { return }
        place(last, at: hole)
        rise(from: hole)
        sink(from: last.index)
    }

    private mutating func place(_ entry: DeadlineQueue.Entry, at position: Int) {
        self[position] = entry
        entry.index = position
    }

    private mutating func rise(from start: Int) {
        var child = start
        while child > 0, case let parent = (child - 1) / 2, self[child].deadline < self[parent].deadline {
            exchange(child, parent)
            child = parent
        }
    }

    private mutating func sink(from start: Int) {
        var parent = start
        while case let left = 2 * parent + 1, left < count {
            let right = left + 1
            let child = right < count && self[right].deadline < self[left].deadline ? right : left
            guard self[child].deadline < self[parent].deadline else { return }
            exchange(parent, child)
            parent = child
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        swapAt(one, other)
        self[one].index = one
        self[other].index = other
    }
}
