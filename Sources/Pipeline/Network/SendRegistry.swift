/// The sends that are under way, of one network and of those derived from it.
final class SendRegistry: Sendable {
    private let sends = Locked<[SendID: RunningSend]>([:])
    /// Those that have begun and not ended, since they may have no send at present.
    private let webSockets = Locked<[ObjectIdentifier: WebSocketCore]>([:])

    var all: [RunningSend] { sends.withLock { Array($0.values) } }

    subscript(id: SendID) -> RunningSend? { sends.withLock { $0[id] } }

    func add(_ send: RunningSend) {
        sends.withLock { $0[send.id] = send }
    }

    func remove(_ id: SendID) {
        sends.withLock { _ = $0.removeValue(forKey: id) }
    }

    func add(_ webSocket: WebSocketCore) {
        webSockets.withLock { $0[ObjectIdentifier(webSocket)] = webSocket }
    }

    func remove(_ webSocket: WebSocketCore) {
        webSockets.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(webSocket)) }
    }

    /// Cancels all sends and WebSockets, or those with a tag.
    func cancel(where isMeant: (_ tag: String?) -> Bool) {
        for send in all where isMeant(send.tag) { send.stop(NetworkError(.cancelled)) }
        for webSocket in webSockets.withLock({ Array($0.values) }) where isMeant(webSocket.tag) { webSocket.cancel() }
    }
}

/// A send that is under way, as ``Network/inFlight`` shows it.
public struct InFlightSend: Sendable, Hashable {
    /// Where a send is.
    public enum Phase: Sendable, Hashable {
        /// The request is being built.
        case building
        /// Actions see the request.
        case requestWillBegin
        /// The send waits for a route to its host.
        case waitingForNetwork
        /// The transport has the request, or the body arrives.
        case transferring
        /// Actions see the outcome.
        case responseCompleted
        /// The send waits before a retry.
        case pausing
        /// The value is being read.
        case decoding
        /// The send has returned, and the body that was left a stream still arrives.
        case streaming
    }

    /// The identity of the send.
    public let id: SendID
    /// The tag of the request; `nil` while it is being built.
    public let tag: String?
    /// Where the send is.
    public let phase: Phase
    /// How many attempts it has begun.
    public let attempt: Int
    /// How long it has been under way.
    public let age: Duration
}
