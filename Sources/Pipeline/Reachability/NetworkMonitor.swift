/// Tells whether the machine is connected, over what, and when that changes.
///
///     for await path in NetworkMonitor.shared.paths {
///         banner.isHidden = path.isSatisfied
///     }
///
/// There are three faces of one thing: ``paths`` for `for await`, ``onChange(_:)`` and ``onChange(on:_:)`` for closures, and
/// `publisher` where Combine exists. Each tells the present path first, then every change, and to a slow reader only the last
/// one. ``currentPath`` is the present path alone.
///
/// **Where it is heard.** On Apple platforms `NWPathMonitor` reports. On Linux the kernel does (rtnetlink): its links, addresses
/// and routes, within milliseconds. Where the kernel may not be asked, in some containers, the status is
/// ``NetworkPath/Status/unknown`` and ``NetworkPath/obstacle`` says why.
///
/// **What it costs.** Nothing before somebody asks; then an open socket and no thread of its own. A network asks when a send is
/// about to leave the machine (``OfflinePolicy``).
///
/// **How do I test with it?** Give a monitor the `ManualPathSource` of `PipelineTesting`, and the monitor to the network
/// (``NetworkConfiguration/networkMonitor``).
public final class NetworkMonitor: Sendable {
    private struct State: Sendable {
        var path = NetworkPath(.unknown, obstacle: "nothing was reported yet")
        var hasBegun = false
        var isUnsatisfied = false
        var nextObserver = 0
        var observers: [Int: @Sendable (NetworkPath) -> Void] = [:]
    }

    private let source: any NetworkPathSource
    private let state = Locked(State())

    /// The monitor of the process, which networks use unless told otherwise.
    public static let shared = NetworkMonitor()

    /// Creates a monitor.
    ///
    /// - Parameter source: Where it hears of the network; the system unless told otherwise.
    public init(source: (any NetworkPathSource)? = nil) {
        self.source = source ?? SystemPathSource.make()
    }

    deinit {
        if state.withLock({ $0.hasBegun }) { source.stop() }
    }

    /// The present path.
    ///
    /// The first call begins to listen. On Linux the kernel answers within it; on Apple platforms the path is unknown for a
    /// moment.
    public var currentPath: NetworkPath {
        begin()
        return state.withLock { $0.path }
    }

    /// The present path, then every change, for as long as somebody reads.
    ///
    /// Each call gives a sequence of its own, with one reader. A reader that is slow gets the last path, not all that were. The
    /// sequence keeps the monitor alive, and ends with its reader's task only.
    public var paths: AsyncStream<NetworkPath> {
        let (stream, continuation) = AsyncStream<NetworkPath>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Telling an asynchronous stream runs nobody's code.
        let observer = observe { continuation.yield($0) }
        continuation.onTermination = { _ in self.remove(observer) }
        return stream
    }

    // MARK: For sends

    /// Whether there is nothing to say against an attempt: it listens, and has not heard that there is no way out. It costs a
    /// lock.
    var isClear: Bool { state.withLock { $0.hasBegun && !$0.isUnsatisfied } }

    /// Waits for a path that fits, the present one included.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func wait(until isFit: (NetworkPath) -> Bool) async throws -> NetworkPath {
        for await path in paths where isFit(path) {
            try Task.checkCancellation()
            return path
        }
        throw CancellationError()
    }

    /// Waits until there may be a way out: until the status is not ``NetworkPath/Status/unsatisfied``.
    ///
    /// - Returns: The path that is there then.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @discardableResult
    public func waitForNetwork() async throws -> NetworkPath {
        try await wait { $0.status != .unsatisfied }
    }

    // MARK: Observers

    /// Tells an observer the present path, then every change, in order. It is called while others wait, so it must do no more
    /// than pass the path on.
    func observe(_ observer: @escaping @Sendable (NetworkPath) -> Void) -> Int {
        begin()
        return state.withLock { state in
            let number = state.nextObserver
            state.nextObserver += 1
            state.observers[number] = observer
            observer(state.path)
            return number
        }
    }

    func remove(_ number: Int) {
        let observer = state.withLock { $0.observers.removeValue(forKey: number) }
        _ = observer  // Released outside the lock, with whatever it holds.
    }

    private func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { source.start { [weak self] path in self?.take(path) } }
    }

    private func take(_ path: NetworkPath) {
        state.withLock { state in
            guard state.path != path else { return }
            state.path = path
            state.isUnsatisfied = path.status == .unsatisfied
            for observer in state.observers.values { observer(path) }
        }
    }
}

extension NetworkMonitor: CustomReflectable {
    /// The present path, as far as it was heard.
    public var customMirror: Mirror {
        Mirror(self, children: ["path": state.withLock { $0.path }], displayStyle: .class)
    }
}
