#if canImport(Network)
    import Dispatch
    import Network

    /// What Apple's `NWPathMonitor` reports.
    final class PathMonitorSource: NetworkPathSource {
        private let monitor = NWPathMonitor()
        private let queue = DispatchQueue(label: "pipeline.network-path")

        func start(_ report: @escaping @Sendable (NetworkPath) -> Void) {
            monitor.pathUpdateHandler = { path in report(NetworkPath(path)) }
            monitor.start(queue: queue)
        }

        func stop() { monitor.cancel() }
    }

    extension NetworkPath {
        fileprivate init(_ path: NWPath) {
            let status: Status =
                switch path.status {
                case .satisfied: .satisfied
                case .unsatisfied: .unsatisfied
                // A connection would be made when somebody asks for one: a tunnel, say.
                default: .unknown
                }
            self.init(
                status,
                interfaces: path.availableInterfaces.compactMap(NetworkInterface.init),
                isExpensive: path.isExpensive,
                isConstrained: path.isConstrained,
                obstacle: status == .unknown ? "a connection is made on demand" : nil
            )
        }
    }

    extension NetworkInterface {
        /// - Returns: `nil` for loopback.
        fileprivate init?(_ interface: NWInterface) {
            switch interface.type {
            case .loopback: return nil
            case .wifi: self.init(name: interface.name, kind: .wifi)
            case .cellular: self.init(name: interface.name, kind: .cellular)
            case .wiredEthernet: self.init(name: interface.name, kind: .wired)
            default: self.init(name: interface.name, kind: .other)
            }
        }
    }
#endif
