#if canImport(Glibc)
    /// What the kernel has told of links, addresses and routes, folded into one value.
    struct RouteTable: Sendable, Hashable {
        private(set) var links: [Int32: NetlinkLink] = [:]
        private(set) var addresses: Set<NetlinkAddress> = []
        private(set) var routes: Set<NetlinkRoute> = []

        /// Takes in a message.
        ///
        /// - Returns: Whether routes may have gone without notice, so that they must be asked for anew: the kernel tells nobody
        ///   which of them it drops with a link or an address.
        mutating func apply(_ message: NetlinkMessage) -> Bool {
            switch message {
            case .link(let link):
                let old = links.updateValue(link, forKey: link.index)
                return old?.flags != link.flags
            case .linkGone(let index):
                addresses = addresses.filter { $0.link != index }
                return links.removeValue(forKey: index) != nil
            case .address(let address):
                addresses.insert(address)
                return false
            case .addressGone(let address):
                return addresses.remove(address) != nil
            case .route(let route, let replaces):
                if replaces { routes = routes.filter { !$0.isReplaced(by: route) } }
                routes.insert(route)
                return false
            case .routeGone(let route):
                routes.remove(route)
                return false
            case .done, .refused, .lost, .other:
                return false
            }
        }

        /// Forgets what a list is about to tell anew.
        mutating func forget(_ list: NetlinkList) {
            switch list {
            case .links: links = [:]
            case .addresses: addresses = []
            case .routes: routes = []
            }
        }

        /// The path that all this makes.
        ///
        /// - Parameter kind: Tells what an interface is connected to.
        func path(kind: (NetlinkLink) -> NetworkInterface.Kind) -> NetworkPath {
            let usable = links.values.filter(isUsable)
            let usableIndices = Set(usable.map(\.index))
            let open = routes.filter { route in
                route.isUnicast && !route.destination.isLocal
                    && (route.links.isEmpty ? !usable.isEmpty : !usableIndices.isDisjoint(with: route.links))
            }
            if routes.isEmpty, !usable.isEmpty {
                return NetworkPath(.unknown, obstacle: "the kernel tells addresses and no routes")
            }
            let exits = open.filter(\.destination.isDefault)
            /// The best exit over a link, for the order of interfaces.
            func rank(_ link: NetlinkLink) -> UInt32 {
                exits.filter { $0.links.contains(link.index) }.map(\.priority).min() ?? .max
            }
            let interfaces = usable.map { (rank($0), $0) }
                .sorted { ($0.0, $0.1.index) < ($1.0, $1.1.index) }
                .map { NetworkInterface(name: $1.name, kind: kind($1)) }
            let own = addresses.map(\.address) + routes.filter(\.isOwn).map(\.destination)
            return NetworkPath(
                exits.isEmpty ? .unsatisfied : .satisfied,
                interfaces: interfaces,
                isExpensive: interfaces.first?.kind == .cellular ? true : nil,
                routes: Set(open.map(\.destination) + own).sorted()
            )
        }

        /// Whether a link leads anywhere: it runs, is not loopback, and has an address that others can answer to.
        private func isUsable(_ link: NetlinkLink) -> Bool {
            link.isRunning && !link.isLoopback
                && addresses.contains { $0.link == link.index && !$0.address.isLocal && !$0.address.isLoopback }
        }
    }

    /// What the kernel can be asked to list, in the order in which it is asked.
    enum NetlinkList: Sendable, Hashable, CaseIterable {
        case links
        case addresses
        case routes

        /// The type of the message that asks.
        var request: UInt16 {
            switch self {
            case .links: Netlink.getLink
            case .addresses: Netlink.getAddress
            case .routes: Netlink.getRoute
            }
        }
    }

    extension NetlinkRoute {
        /// Whether another, which takes somebody's place, takes this one's.
        fileprivate func isReplaced(by other: NetlinkRoute) -> Bool {
            destination == other.destination && table == other.table && priority == other.priority
        }
    }
#endif
