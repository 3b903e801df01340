public import Pipeline

/// A network that comes and goes when the test says so.
///
///     let source = ManualPathSource(.unsatisfied)
///     let monitor = NetworkMonitor(source: source)
///     …
///     source.report(NetworkPath(.satisfied))
///
/// Give the monitor to a network with ``/Pipeline/NetworkConfiguration/networkMonitor``. For a transport to be asked for its host,
/// it has to have one: ``RoutedTransport`` gives it one.
public final class ManualPathSource: NetworkPathSource {
    private struct State: Sendable {
        var path: NetworkPath
        var report: (@Sendable (NetworkPath) -> Void)?
    }

    private let state: Locked<State>

    /// Creates a source.
    ///
    /// - Parameter status: What it reports first.
    public convenience init(_ status: NetworkPath.Status) {
        self.init(NetworkPath(status))
    }

    /// Creates a source.
    ///
    /// - Parameter path: What it reports first.
    public init(_ path: NetworkPath) {
        state = Locked(State(path: path))
    }

    /// Whether a monitor listens.
    public var isHeard: Bool { state.withLock { $0.report != nil } }

    /// Reports a path, also to a monitor that begins to listen later. One test thread at a time may call it.
    public func report(_ path: NetworkPath) {
        let report = state.withLock { state in
            state.path = path
            return state.report
        }
        report?(path)
    }

    /// Reports a path with this status and nothing else.
    public func report(_ status: NetworkPath.Status) { report(NetworkPath(status)) }

    public func start(_ report: @escaping @Sendable (NetworkPath) -> Void) {
        let path = state.withLock { state in
            state.report = report
            return state.path
        }
        report(path)
    }

    public func stop() {
        let report = state.withLock { state in
            defer { state.report = nil }
            return state.report
        }
        _ = report  // Released outside the lock, with whatever it holds.
    }
}

/// A transport around another that connects, as it says, to the hosts it is asked for: so ``/Pipeline/OfflinePolicy`` judges what
/// goes through a double that connects to nobody.
public struct RoutedTransport: Transport {
    private let base: any Transport

    /// Creates a transport.
    ///
    /// - Parameter base: What performs the attempts.
    public init(_ base: any Transport) {
        self.base = base
    }

    public var capabilities: TransportCapabilities { base.capabilities }

    public func host(for origin: Origin) -> String? { origin.host }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await base.send(request) }

    public func shutdown() async { await base.shutdown() }
}
