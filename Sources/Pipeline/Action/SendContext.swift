public import Foundation

/// What belongs to a whole send: its identity, its time, its events, and a store for actions.
///
/// Every request of a send, on every attempt, has the same one: `request.context`.
public final class SendContext: Sendable {
    /// The identity of the send.
    public let id: SendID

    /// Where the send takes its time from.
    public let time: any TimeSource

    /// What actions remember during the send. It is empty at its start and released at its end.
    public var store: ContextStore { ContextStore(of: self) }

    /// The tag of the request, as it was built.
    public let tag: String?

    /// The base URL of the network, as it was when the request was built. `nil` if it has none. What is bound to an origin,
    /// credentials above all, goes by it. A request can have one of its own: ``NetworkRequest/baseURL``.
    public let baseURL: URL?

    /// The type that the request goes by (``Request/requestType``): that of the value that was sent.
    public let requestType: any Request.Type

    /// The send on whose behalf this one was made, if there is one.
    public let parent: SendContext?

    /// Whether the caller made the request conditional: then the answer 304 is the caller's.
    let isConditional: Bool

    private let start: Duration
    private let deadline: Duration?
    private let hasMonitors: Bool
    private let links: Locked<Links?>
    private let progress = Locked(Progress())
    let remembered = Locked(ContextStore.Values())

    /// What the send stands on. Requests and responses keep their context, and whoever keeps those, an action or a transport
    /// above all, must not keep the network for it; so this goes when the send ends.
    private struct Links: Sendable {
        let core: NetworkCore
        let monitors: [any EventMonitor]
    }

    private struct Progress: Sendable {
        var attempt = 0
        /// When the transport let the attempt in, or that it has not yet.
        var admission = Admission.atOnce
        /// One URL of each origin at least; the first stands alone because most sends have no other.
        var firstURL: URL?
        var laterURLs: [URL] = []
    }

    init(
        id: SendID = SendID(),
        core: NetworkCore?,
        time: any TimeSource,
        start: Duration,
        deadline: Duration? = nil,
        monitors: [any EventMonitor] = [],
        tag: String? = nil,
        baseURL: URL? = nil,
        requestType: any Request.Type = NetworkRequest.self,
        isConditional: Bool = false,
        parent: SendContext? = nil
    ) {
        self.id = id
        isDetached = core == nil
        links = Locked(core.map { Links(core: $0, monitors: monitors) })
        hasMonitors = !monitors.isEmpty
        self.time = time
        self.start = start
        self.deadline = deadline
        self.tag = tag
        self.baseURL = baseURL
        self.requestType = requestType
        self.isConditional = isConditional
        self.parent = parent
    }

    /// The context of requests that belong to no send. Reports go nowhere and its store keeps nothing.
    public static let detached = SendContext(core: nil, time: SystemTime.shared, start: .zero)

    /// Whether this is the context of no send.
    public let isDetached: Bool

    /// How many attempts the send has begun: 0 before the first, 1 during it.
    public var attempt: Int { progress.withLock { $0.attempt } }

    /// The origins that the send has turned to so far, in order, each once.
    public var visitedOrigins: [Origin] {
        let urls = progress.withLock { progress in progress.firstURL.map { [$0] + progress.laterURLs } ?? [] }
        return urls.compactMap(Origin.init).reduce(into: []) { origins, origin in
            if !origins.contains(origin) { origins.append(origin) }
        }
    }

    /// Whether the send has turned to no origin but these. A credential must not be attached, now or later, once it has.
    public func hasStayed(within origins: some Sequence<Origin>) -> Bool {
        let allowed = Set(origins)
        return visitedOrigins.allSatisfy(allowed.contains)
    }

    /// How much of the total time limit is left; never less than zero. `nil` if there is no limit.
    public var timeLeft: Duration? { deadline.map { max(.zero, $0 - time.now) } }

    /// Tells the event monitors something. Without monitors it costs nothing, and after the end of the send nobody hears it.
    public func report(_ event: @autoclosure () -> SendEvent.Kind) {
        guard hasMonitors, let monitors = links.withLock({ $0?.monitors }) else { return }
        let now = time.now
        let event = SendEvent(id: id, time: now, age: now - start, kind: event())
        for monitor in monitors { monitor.record(event) }
    }

    /// A network for sends that an action makes on behalf of this one: to refresh a token, say.
    ///
    /// It has the actions of this send's network, without those of a type; so a refresh does not wait for itself. Its sends
    /// know this context as their ``parent``. They have their own deadline and do not end with this send.
    ///
    /// - Throws: ``NetworkError`` `send-ended` if the send has ended, or the context is that of no send. Ask while it runs;
    ///   the network can be kept for longer.
    public func network(removing type: (some Action).Type) throws(NetworkError) -> Network {
        guard let core = links.withLock({ $0?.core }) else { throw NetworkError(.sendEnded, reach: .no) }
        return Network(core: core.removing(where: { Swift.type(of: $0) == type }), parent: self)
    }

    /// Waits, as ``OfflinePolicy/wait`` would, until there may be a way to the host of a request; returns at once if there is
    /// one, if nobody can tell, and after the end of the send.
    ///
    /// For actions that ask for a retry: it uses the network's ``NetworkConfiguration/networkMonitor`` and its transport.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - failure: What the last attempt failed with, if it did: then a host that only may be near is not worth another.
    /// - Returns: Whether it had to wait.
    /// - Throws: `CancellationError` as soon as the send is cancelled or its time is up.
    @discardableResult
    public func waitForNetwork(for request: NetworkRequest, after failure: NetworkError? = nil) async throws -> Bool {
        guard let core = links.withLock({ $0?.core }), let origin = Origin(request.url) else { return false }
        let gate = NetworkGate(.wait, core)
        var wait = failure.flatMap { gate.verdict(on: $0, from: origin).wait }
        wait = wait ?? gate.verdict(on: origin).wait
        guard let wait else { return false }
        report(.waitingForNetwork(wait.path))
        try await gate.sitOut(wait)
        return true
    }

    /// Whether anybody listens to what is reported.
    package var isMonitored: Bool { hasMonitors }

    // MARK: Waiting in a transport's line

    /// Says that the attempt waits for its turn. For transports: its time limit does not run until
    /// ``attemptWasAdmitted()`` is called.
    public func attemptWaits() {
        progress.withLock { $0.admission = .awaited }
    }

    /// Says that an attempt that had to wait goes now: its time limit runs from here.
    public func attemptWasAdmitted() {
        let now = time.now
        progress.withLock { $0.admission = .granted(at: now) }
    }

    enum Admission: Sendable {
        case atOnce
        case awaited
        case granted(at: Duration)
    }

    var admission: Admission { progress.withLock { $0.admission } }

    /// Lets go of what the send stood on.
    func end() {
        let links = links.withLock { $0.take() }
        _ = links  // Released outside the lock, with whatever it holds.
    }

    func beginAttempt() -> Int {
        progress.withLock { progress in
            progress.attempt += 1
            progress.admission = .atOnce
            return progress.attempt
        }
    }

    /// Notes where the send turns to.
    func visit(_ url: URL) {
        progress.withLock { progress in
            if progress.firstURL == nil {
                progress.firstURL = url
            } else if progress.firstURL != url, progress.laterURLs.last != url {
                progress.laterURLs.append(url)
            }
        }
    }
}

/// The identity of a send: different for each within a process. They are ordered by when their sends began.
public struct SendID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let number: UInt64

    private static let last = Locked<UInt64>(0)

    init() {
        number = Self.last.withLock { last in
            last += 1
            return last
        }
    }

    /// The number of the send in this process.
    public var description: String { String(number) }

    /// Whether one send began before another.
    public static func < (one: SendID, other: SendID) -> Bool { one.number < other.number }
}
