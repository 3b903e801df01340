public import Dispatch

extension NetworkMonitor {
    /// Calls back on the main actor with the present path, then with every change.
    ///
    /// - Parameter change: Called on the main queue, in order.
    /// - Returns: What keeps the calls coming: they end when it is cancelled or released.
    public func onChange(_ change: @escaping @MainActor @Sendable (NetworkPath) -> Void) -> NetworkObservation {
        onChange(on: .main) { path in
            MainActor.assumeIsolated { change(path) }
        }
    }

    /// Calls back on a queue with the present path, then with every change.
    ///
    /// - Parameters:
    ///   - queue: Where to call back; in order if it is a serial one.
    ///   - change: Called with each path.
    /// - Returns: What keeps the calls coming: they end when it is cancelled or released.
    public func onChange(
        on queue: DispatchQueue,
        _ change: @escaping @Sendable (NetworkPath) -> Void
    ) -> NetworkObservation {
        let relay = PathRelay(change)
        let number = observe { path in
            // Only the first of several paths has to ask for a call: that call takes the last one.
            if relay.put(path) { queue.async { relay.deliver() } }
        }
        return NetworkObservation { [self] in
            relay.end()
            remove(number)
        }
    }
}

/// The interest of a closure in a ``NetworkMonitor``. It keeps the monitor alive.
public final class NetworkObservation: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = Locked(end)
    }

    deinit { cancel() }

    /// Ends the interest. The closure is not called after this, unless it is being called already.
    public func cancel() {
        let end = end.withLock { $0.take() }
        end?()
    }
}

/// The last path that a closure has not been called with.
private final class PathRelay: Sendable {
    private struct State: Sendable {
        var path: NetworkPath?
        var change: (@Sendable (NetworkPath) -> Void)?
    }

    private let state: Locked<State>

    init(_ change: @escaping @Sendable (NetworkPath) -> Void) {
        state = Locked(State(change: change))
    }

    /// - Returns: Whether there was none.
    func put(_ path: NetworkPath) -> Bool {
        state.withLock { state in
            defer { state.path = path }
            return state.path == nil
        }
    }

    func deliver() {
        let (path, change) = state.withLock { ($0.path.take(), $0.change) }
        if let path { change?(path) }
    }

    func end() {
        let change = state.withLock { $0.change.take() }
        _ = change  // Released outside the lock, with whatever it holds.
    }
}
