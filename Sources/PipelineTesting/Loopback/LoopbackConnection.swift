public import Foundation

/// One connection of a ``LoopbackServer`` as it stood when it was asked for.
public struct LoopbackConnection: Sendable {
    /// How a connection came to its end.
    public enum Ending: Sendable, Hashable {
        /// The client closed it, or its sending side while the server had nothing more to read.
        case closedByClient
        /// The client reset it, which is also what closing with unread bytes does.
        case resetByClient
        /// The server closed it: a step said so, or `Connection: close` did.
        case closedByServer
        /// The server reset it, as a step said.
        case resetByServer
        /// A request broke the rules of RFC 9112. It was answered with 400; the text says which rule.
        case malformedRequest(String)
        /// The server was stopped.
        case stopped
        /// An error was thrown out of a ``LoopbackStep/converse(_:)`` step; the text describes it.
        case conversationFailed(String)
    }

    /// The number of the connection, counted from 1 in order of arrival. Zero only in the placeholder that
    /// ``LoopbackServer/nextClosedConnection()`` returns when it was cancelled or the server was stopped.
    public let id: Int

    /// Every byte that the server has read, as it came.
    public internal(set) var bytesReceived = Data()

    /// The requests that have arrived whole, or were answered before their body was read, in order.
    public internal(set) var requests: [LoopbackRequest] = []

    /// How the connection ended, or nil while it is open.
    public internal(set) var ending: Ending?

    /// Whether the client ended the connection, by closing or by resetting it.
    public var wasClosedByClient: Bool {
        ending == .closedByClient || ending == .resetByClient
    }

    /// The bytes received, read as UTF-8 with replacement characters where they are not.
    public var textReceived: String { String(decoding: bytesReceived, as: UTF8.self) }
}
