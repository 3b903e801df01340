/// What performs one attempt.
///
/// **Which one do I need?** None: a network that names no transport uses the best one of its platform.
///
/// **How do I use another?** `Network(baseURL: api, transport: URLSessionTransport(configuration: .ephemeral))`.
///
/// **How do I write my own?** Return when the head of the response is in, with the body as a ``BodyStream``, or as bytes if
/// all of it came with the head. And keep the rules:
/// - One attempt. Never follow a redirect, never store a cookie or a response, never send twice, except an idempotent and
///   replayable request that a reused connection died under before any answer came.
/// - When the task is cancelled, end promptly and let go of the connection.
/// - Keep ``TimeLimits/connect`` and ``TimeLimits/idle``, ``NetworkRequest/maximumResponseSize``, and hold the transfer while
///   its reader is slow.
/// - Run nobody else's code on your threads.
/// - Report how far the bodies have got (``SendEvent/Kind/progress(_:)``) with ``SendContext/report(_:)`` of the request's
///   context: a few times a second while bytes move, and once at the end of each body, before you say that it has ended. The
///   counts of an attempt never fall.
/// - Accept only http and https.
/// - Fail with ``NetworkError`` `option-unsupported` or `pinning-unsupported` where you cannot honour an option.
/// - Say in every ``NetworkError`` whether the request can have reached the server.
///
/// What has to wrap the sending itself, hedging for one, is a transport around a transport.
///
/// **How do I test with it?** `PipelineTesting` has doubles to use in its place, and a conformance suite to run yours against.
public protocol Transport: Sendable {
    /// Sends a request and returns when the head of the response is in.
    ///
    /// - Throws: ``NetworkError``, or any other error, which becomes the cause of a `transport-failed` error.
    func send(_ request: NetworkRequest) async throws -> NetworkResponse

    /// What the transport can do.
    var capabilities: TransportCapabilities { get }

    /// The host that an attempt would connect to: that of the origin, or of the proxy in front of it.
    ///
    /// ``OfflinePolicy`` goes by it. A transport around another passes the question on.
    ///
    /// - Returns: A name or an address as in ``Origin/host``; `nil`, as it is unless a transport implements this, if the attempt
    ///   leaves over no network or the transport cannot tell.
    func host(for origin: Origin) -> String?

    /// Ends every attempt and lets go of all connections and threads. Later sends fail with `transport-unavailable`.
    func shutdown() async
}

extension Transport {
    /// Nothing beyond the rules.
    public var capabilities: TransportCapabilities { [] }

    /// Tells nothing.
    public func host(for origin: Origin) -> String? { nil }

    /// Does nothing.
    public func shutdown() async {}
}

/// What a transport can do beyond the rules that all follow.
public struct TransportCapabilities: OptionSet, Sendable {
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Checks pins against the verified chain before the request leaves.
    public static let pinning = TransportCapabilities(rawValue: 1 << 0)
    /// Holds a transfer while its reader is slow, so that memory stays flat.
    public static let backPressure = TransportCapabilities(rawValue: 1 << 1)
    /// Sends bodies that are made while they are sent without holding them in memory.
    public static let streamedRequests = TransportCapabilities(rawValue: 1 << 2)
    /// Keeps the order and spelling of header fields, and repeated fields apart.
    public static let exactHeaders = TransportCapabilities(rawValue: 1 << 3)
    /// Tells trailers.
    public static let trailers = TransportCapabilities(rawValue: 1 << 4)
    /// Leaves HTTP for another protocol when a request asks for it (``NetworkRequest/upgrade``, ``UpgradedConnection``).
    public static let upgrades = TransportCapabilities(rawValue: 1 << 5)
}
