/// How the machine is connected at one moment: whether there is a way out, and over which interfaces.
///
/// It tells what the system knows of links, addresses and routes. Whether a server answers is for a send to find out.
public struct NetworkPath: Sendable, Hashable {
    /// Whether there is a way out.
    public enum Status: Sendable, Hashable {
        /// There is one: on Linux a default route over a link that is up and has an address.
        case satisfied
        /// There is none. Hosts of this machine, and of a network it is directly connected to, may be reached all the same.
        case unsatisfied
        /// The system does not tell; ``NetworkPath/obstacle`` says why. Nothing is refused on account of it.
        case unknown
    }

    /// Whether there is a way out.
    public let status: Status

    /// The interfaces that are up and have an address, the one that is used first in front. Loopback is none of them.
    public let interfaces: [NetworkInterface]

    /// Whether bytes cost money here, as over a mobile network or a personal hotspot; `nil` if the system does not tell. On
    /// Linux `true` for a mobile network in front, `nil` otherwise.
    public let isExpensive: Bool?

    /// Whether the user asks programs to use little data; `nil` if the system does not tell, as Linux never does.
    public let isConstrained: Bool?

    /// Why the status is unknown, as a clause; `nil` if it is known.
    public let obstacle: String?

    /// Which addresses there are routes to, and this machine's own; `nil` if the system does not tell.
    let routes: [AddressPrefix]?

    /// Creates a path, for tests and for sources of one's own.
    ///
    /// - Parameters:
    ///   - status: Whether there is a way out.
    ///   - interfaces: The interfaces, the one that is used first in front; none unless told otherwise.
    ///   - isExpensive: Whether bytes cost money; unknown unless told otherwise.
    ///   - isConstrained: Whether little data is to be used; unknown unless told otherwise.
    ///   - obstacle: Why the status is unknown.
    public init(
        _ status: Status,
        interfaces: [NetworkInterface] = [],
        isExpensive: Bool? = nil,
        isConstrained: Bool? = nil,
        obstacle: String? = nil
    ) {
        self.init(
            status,
            interfaces: interfaces,
            isExpensive: isExpensive,
            isConstrained: isConstrained,
            obstacle: obstacle,
            routes: nil
        )
    }

    init(
        _ status: Status,
        interfaces: [NetworkInterface],
        isExpensive: Bool? = nil,
        isConstrained: Bool? = nil,
        obstacle: String? = nil,
        routes: [AddressPrefix]?
    ) {
        self.status = status
        self.interfaces = interfaces
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.obstacle = obstacle
        self.routes = routes
    }

    /// Whether the path leads out.
    public var isSatisfied: Bool { status == .satisfied }

    /// Whether an interface of a kind is up.
    public func uses(_ kind: NetworkInterface.Kind) -> Bool { interfaces.contains { $0.kind == kind } }
}

extension NetworkPath: CustomStringConvertible {
    /// The status and the interfaces: `satisfied over eth0 (wired)`.
    public var description: String {
        let names = interfaces.map { "\($0.name) (\($0.kind))" }.joined(separator: ", ")
        let reason = obstacle.map { ": \($0)" } ?? ""
        return names.isEmpty ? "\(status)\(reason)" : "\(status) over \(names)\(reason)"
    }
}

/// A network interface that is up and has an address.
public struct NetworkInterface: Sendable, Hashable {
    /// What an interface is connected to.
    public enum Kind: Sendable, Hashable {
        /// A wireless network.
        case wifi
        /// A mobile network.
        case cellular
        /// A cable, or what stands for one in a virtual machine or a container.
        case wired
        /// Something else: a tunnel, a bridge.
        case other
    }

    /// The name that the system gives it: `eth0`.
    public let name: String

    /// What it is connected to.
    public let kind: Kind

    /// Creates a value.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}
