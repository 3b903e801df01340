// The few declarations of Apple's Network that this package and its fixtures may touch, so that code behind
// `#if canImport(Network)` can be type-checked where that framework does not exist. Signatures are Apple's; bodies do
// nothing.

import Dispatch

public final class NWPathMonitor: @unchecked Sendable {  // As in Network, where it may be used on any thread.
    public init() {}
    public init(requiredInterfaceType: NWInterface.InterfaceType) {}

    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?
    public var currentPath: NWPath { NWPath() }

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public let status = Status.satisfied
    public let isExpensive = false
    public let isConstrained = false
    public let supportsDNS = true
    public let availableInterfaces: [NWInterface] = []

    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { false }
}

public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Sendable {
        case other
        case wifi
        case cellular
        case wiredEthernet
        case loopback
    }

    public let name: String
    public let type: InterfaceType
}

public enum NWEndpoint: Hashable, Sendable {
    case url(String)
}
