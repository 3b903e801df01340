import Foundation

extension Network {
    /// The events that a server sends, over as many connections as it takes (HTML Standard, section 9.2).
    ///
    ///     for try await event in network.events(of: WatchOrders()) { show(event.data) }
    ///
    /// When the connection drops, the sequence waits and comes back with `Last-Event-ID`, so that the server can go on where it
    /// stopped. It ends when the server answers 204, and by an error that another connection would not mend
    /// (``ReconnectionPolicy/reconnects(after:)``). Each connection is a send of its own with all actions, so tokens and
    /// addresses are as fresh as it is. A `RetryAction` in front answers for `Retry-After`.
    ///
    /// The total time limit is lifted unless the request sets one. The idle limit stays (``TimeLimits/idle``, 30 seconds unless
    /// told otherwise): servers send comments to show that they are there, and a connection that is silent for longer is
    /// taken for dead and made anew.
    ///
    /// - Parameters:
    ///   - request: The request. `Accept`, `Cache-Control` and `Last-Event-ID` are added to it; the response is not decoded.
    ///   - lastEventID: Where the stream goes on; at its beginning unless told otherwise.
    ///   - reconnection: When to come back, and after which pause.
    ///   - limit: How long a line, and the data of an event, can be, in bytes: 1 MiB unless told otherwise. A longer one ends the
    ///     stream with a `line-too-long` error.
    public func events(
        of request: some Request,
        lastEventID: String = "",
        reconnection: ReconnectionPolicy = ReconnectionPolicy(),
        upTo limit: Int = 1 << 20
    ) -> ServerSentEvents {
        ServerSentEvents(network: self, policy: reconnection, lastEventID: lastEventID, limit: limit) { lastEventID in
            StreamedRequest(request) { $0.asksForEvents(after: lastEventID) }
        }
    }
}

extension NetworkRequest {
    fileprivate mutating func asksForEvents(after lastEventID: String) {
        if !headers.contains(.accept) { headers[.accept] = "text/event-stream" }
        if !headers.contains(.cacheControl) { headers[.cacheControl] = "no-cache" }
        let position = lastEventID.trimmingCharacters(in: .whitespaces)
        // An identifier with control characters cannot stand in a field. The stream begins anew then.
        if !position.isEmpty, HTTPSyntax.isFieldValue(position) { headers[.lastEventID] = position }
        if timeLimits.total == nil { timeLimits.total = .unlimited }
        acceptableStatuses = [.ok, .noContent]
    }
}

/// The events that a server sends, as a sequence that survives a dropped connection.
///
/// Made by ``Network/events(of:lastEventID:reconnection:upTo:)``. Each iterator makes connections of its own, when it is asked
/// for events and not before; reading slowly slows the server down. Letting go of the iterator or cancelling its task ends the
/// connection.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    /// The events together with what becomes of the connection.
    ///
    ///     for try await update in network.events(of: WatchOrders()).updates {
    ///         switch update {
    ///         case .event(let event): show(event.data)
    ///         case .opened: hideBanner()
    ///         case .dropped: showBanner()
    ///         case .connecting: break
    ///         }
    ///     }
    public let updates: Updates

    init(
        network: Network,
        policy: ReconnectionPolicy,
        lastEventID: String,
        limit: Int,
        makeRequest: @escaping @Sendable (_ lastEventID: String) -> any Request<NetworkResponse>
    ) {
        updates = Updates(
            network: network,
            policy: policy,
            lastEventID: lastEventID,
            limit: limit,
            makeRequest: makeRequest
        )
    }

    /// Something that has happened to a stream of events.
    public enum Update: Sendable {
        /// A connection is being made.
        case connecting
        /// The head of the response is in: status, header fields, no body.
        case opened(NetworkResponse)
        /// An event has come.
        case event(ServerSentEvent)
        /// There is no connection, for this reason; `nil` if the server ended it in good order. The next one is made after the
        /// pause.
        case dropped(NetworkError?, reconnectsIn: Duration)
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: updates.makeAsyncIterator()) }

    /// Reads ``ServerSentEvents``.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var updates: Updates.Iterator

        /// Waits for the next event.
        ///
        /// - Returns: The event, or `nil` once the server has answered 204.
        /// - Throws: ``NetworkError`` for what another connection would not mend, cancellation included.
        public mutating func next() async throws -> ServerSentEvent? {
            while let update = try await updates.next() {
                if case .event(let event) = update { return event }
            }
            return nil
        }
    }
}

extension PausePurpose {
    /// The pause before a stream that was dropped is taken up again.
    public static let reconnection = PausePurpose(rawValue: "reconnection")
}
