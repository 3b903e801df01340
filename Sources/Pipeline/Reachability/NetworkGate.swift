/// What stands between a checked request and its attempt: whether there is a way to its host.
///
/// It decides, and waits for nobody. While the network is there, it costs one look at a flag.
struct NetworkGate {
    private let policy: OfflinePolicy
    private let monitor: NetworkMonitor
    private let transport: any Transport
    /// What this machine knows of names.
    var names: @Sendable () -> LocalNames = LocalNames.read

    /// - Parameter policy: The policy of the request.
    init(_ policy: OfflinePolicy?, _ core: NetworkCore) {
        self.policy = policy ?? core.configuration.offlinePolicy
        monitor = core.configuration.networkMonitor
        transport = core.transport
    }

    /// What becomes of an attempt.
    enum Verdict: Sendable {
        /// It is made.
        case open
        /// There is no way to the host, and the send ends.
        case closed(NetworkPath)
        /// There is no way to the host, and the send waits.
        case wait(Wait)
    }

    /// A verdict without its reason, which is small enough to be kept while others run.
    enum Barrier: Sendable {
        case open
        case closed
        case wait
    }

    /// What a send waits for.
    struct Wait: Sendable {
        fileprivate let host: String
        /// What the network was like.
        let path: NetworkPath
        /// Whether an attempt has failed already, so that a path that may lead there is not enough.
        fileprivate let hasFailed: Bool
    }

    /// Judges an attempt before it is made.
    @inline(never)
    func verdict(on origin: Origin) -> Verdict {
        // Most sends end here: the network was there when it was last heard of.
        if policy == .tryAnyway || monitor.isClear { return .open }
        guard let host = remoteHost(of: origin) else { return .open }
        let path = monitor.currentPath
        guard path.reaches(host, names: names()) == false else { return .open }
        return policy == .wait ? .wait(Wait(host: host, path: path, hasFailed: false)) : .closed(path)
    }

    /// Judges what an attempt failed with: one that could not connect while there was no way out failed for want of a network.
    @inline(never)
    func verdict(on error: NetworkError, from origin: Origin) -> Verdict {
        guard policy != .tryAnyway, error.reach == .no, Self.failures.contains(error.code),
            let host = remoteHost(of: origin)
        else { return .open }
        let wait = Wait(host: host, path: monitor.currentPath, hasFailed: true)
        guard !wait.isOver(with: wait.path, names()) else { return .open }
        return policy == .wait ? .wait(wait) : .closed(wait.path)
    }

    /// Waits until an attempt may succeed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sitOut(_ wait: Wait) async throws {
        let names = names()
        _ = try await monitor.wait { wait.isOver(with: $0, names) }
    }

    /// The host that an attempt would connect to, unless that is no matter of routes.
    private func remoteHost(of origin: Origin) -> String? {
        transport.host(for: origin).flatMap { NetworkPath.isNoMatterOfRoutes($0) ? nil : $0 }
    }

    /// How an attempt fails if there is no network: no name is found, no connection made.
    private static let failures: Set<NetworkError.Code> = [
        .offline, .hostNotFound, .connectionFailed, .timedOutConnecting, .proxyFailed,
    ]
}

extension NetworkGate.Verdict {
    /// What the network was like, if there is no way.
    var path: NetworkPath? {
        switch self {
        case .open: nil
        case .closed(let path): path
        case .wait(let wait): wait.path
        }
    }

    /// What it comes to.
    var barrier: NetworkGate.Barrier {
        switch self {
        case .open: .open
        case .closed: .closed
        case .wait: .wait
        }
    }

    /// What the send waits for, if it does.
    var wait: NetworkGate.Wait? { if case .wait(let wait) = self { wait } else { nil } }
}

extension NetworkGate.Wait {
    /// Whether an attempt may succeed over a path.
    fileprivate func isOver(with path: NetworkPath, _ names: LocalNames) -> Bool {
        if path.status != .unsatisfied { return true }
        let isReached = path.reaches(host, names: names)
        return hasFailed ? isReached == true : isReached != false
    }
}

extension NetworkError {
    /// The error of a send that no route leads for.
    ///
    /// - Parameters:
    ///   - path: What the network was like.
    ///   - failure: What an attempt had failed with, if there was one.
    init(offline path: NetworkPath, after failure: NetworkError? = nil) {
        let reason = path.interfaces.isEmpty ? "no interface is up" : "no route leads to the host"
        self.init(.offline, reason, underlying: failure?.underlying, reach: .no)
    }
}
