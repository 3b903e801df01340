import Pipeline

/// Everything that has happened of one kind, in order, each also handed to whoever asks for the next.
final class LoopbackLog<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        /// How many elements were handed to somebody who asked for the next.
        var delivered = 0
        /// Those who asked before there was anything, the longest waiting first.
        var waiters: [(id: Int, continuation: CheckedContinuation<Element?, Never>)] = []
        var nextID = 0
        var isFinished = false
    }

    private let state = Locked(State())

    /// Everything so far.
    var elements: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            state.elements.append(element)
            if state.waiters.isEmpty { return nil }
            state.delivered += 1
            return state.waiters.removeFirst().continuation
        }
        waiter?.resume(returning: element)
    }

    /// Suspends until there is an element that nobody got yet.
    ///
    /// - Returns: The element, or nil if the task was cancelled or the log was finished.
    func next() async -> Element? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Element?, Never>) in
                let answer = state.withLock { state -> Element?? in
                    if state.delivered < state.elements.count {
                        state.delivered += 1
                        return .some(state.elements[state.delivered - 1])
                    }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.waiters.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiters.remove(at: index).continuation
            }
            waiter?.resume(returning: nil)
        }
    }

    /// Lets everybody go who waits: nothing more will come.
    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [] }
            return state.waiters.map(\.continuation)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }
}
