// The few declarations of Apple's Network that this package and its fixtures may touch, so that code behind
// `#if canImport(Network)` can be type-checked where that framework does not exist. Signatures are Apple's; bodies do
// nothing.

import Dispatch
import Foundation

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

    public struct Host: Hashable, Sendable {
        public init(_ string: String) {}
    }

    public struct Port: Hashable, Sendable {
        public init?(rawValue: UInt16) {}
    }
}

public enum NWError: Error, Equatable, Sendable {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(Int32)
}

public final class NWParameters: @unchecked Sendable {  // As in Network.
    public class var tls: NWParameters { NWParameters() }
    public class var tcp: NWParameters { NWParameters() }
}

public final class NWConnection: @unchecked Sendable {  // As in Network, where it may be used on any thread.
    public enum State: Equatable, Sendable {
        case setup
        case waiting(NWError)
        case preparing
        case ready
        case failed(NWError)
        case cancelled
    }

    public final class ContentContext: Sendable {
        public static let defaultMessage = ContentContext()
    }

    public enum SendCompletion: Sendable {
        case contentProcessed(@Sendable (_ error: NWError?) -> Void)
        case idempotent
    }

    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {}

    public final var stateUpdateHandler: (@Sendable (_ state: State) -> Void)?

    public final func start(queue: DispatchQueue) {}
    public final func cancel() {}

    public final func receive(
        minimumIncompleteLength: Int,
        maximumLength: Int,
        completion:
            @escaping @Sendable (
                _ content: Data?, _ contentContext: ContentContext?, _ isComplete: Bool, _ error: NWError?
            ) -> Void
    ) {}

    public final func send(
        content: (some DataProtocol)?,
        contentContext: ContentContext = .defaultMessage,
        isComplete: Bool = true,
        completion: SendCompletion
    ) {}
}
