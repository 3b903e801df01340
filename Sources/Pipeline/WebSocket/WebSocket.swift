/// A connection over which messages go both ways (RFC 6455).
///
///     let socket = network.webSocket(URL(string: "wss://api.example.com/chat")!)
///     try await socket.connect()
///     try await socket.send(.text("hello"))
///     for try await message in socket.messages { show(message) }
///
/// Made by ``Network/webSocket(_:configuration:)-(URL,_)`` or from a request. The handshake is a send of the network like any
/// other, with all its actions: authentication, logging, pins, redirects, retries. From then on the connection is in
/// ``Network/inFlight``. ``Network/cancelAll()`` ends it, also while it waits to be opened anew.
///
/// It connects when ``connect()`` is called or ``messages`` are read for the first time, and is closed when nobody holds it any
/// more. Once it is closed it stays closed. It can be used from any thread.
///
/// **What goes** is sent in the order of the calls. **What comes** waits in memory up to
/// ``WebSocketConfiguration/readAhead``; after that nothing more is read, which holds up the server. Pings of the server are
/// answered by themselves, as far as they are read; while much waits to be sent only the newest is (RFC 6455, section 5.5.3).
///
/// Errors are ``NetworkError``: `websocket-not-open` for what cannot be sent now, `websocket-closed` when the server closes with a
/// code that says that something was wrong, `protocol-violation` and `websocket-message-too-large` when it breaks a rule, and
/// those of the connection.
public final class WebSocket: Sendable {
    let core: WebSocketCore

    init(_ core: WebSocketCore) { self.core = core }

    deinit { core.abandon() }

    // MARK: What it is

    /// What has become of it.
    public var state: WebSocketState { core.current }

    /// What becomes of it, the present state first. It ends after ``WebSocketState/closed(_:_:)``. Each call gives a sequence of
    /// its own; it does not keep the WebSocket open.
    public var states: AsyncStream<WebSocketState> { core.states() }

    /// The subprotocol that the server has chosen, once it has been open.
    public var subprotocol: String? { core.response?.subprotocol }

    /// The answer to the last handshake: status, header fields, metrics.
    public var response: NetworkResponse? { core.response }

    /// The code it was closed with, once it is: what the server has sent, 1006 if it has sent none, or what it was closed with
    /// for breaking a rule.
    public var closeCode: WebSocketCloseCode? {
        if case .closed(let close, _) = state { close.code } else { nil }
    }

    /// The reason that came with ``closeCode``, once it is closed; it can be empty.
    public var closeReason: String? {
        if case .closed(let close, _) = state { close.reason } else { nil }
    }

    // MARK: Opening and closing

    /// Connects, and returns when messages can be sent.
    ///
    /// With a ``WebSocketConfiguration/reconnection`` policy it goes on trying as that says. Cancelling the task closes the
    /// WebSocket.
    ///
    /// - Throws: ``NetworkError``: why there is no connection, as a send would tell it (`unacceptable-status` with the payload if
    ///   the server refuses); `websocket-handshake-failed` if it accepts in a way that RFC 6455 forbids;
    ///   `websocket-unsupported` if the transport makes no WebSockets; `websocket-not-open` if it was closed before.
    public func connect() async throws(NetworkError) {
        core.start()
        guard await core.wait(untilOpen: true) else {
            core.close(WebSocketClose(.goingAway))
            throw NetworkError(.cancelled)
        }
        if case .closed(_, let error) = core.current { throw error ?? WebSocketLink.notOpen }
    }

    /// Closes, and returns when the server has answered and the connection has ended, or has been cut off
    /// (``WebSocketConfiguration/closeLimit``).
    ///
    /// Messages that have come can still be read; those that are on their way are dropped. Cancelling the task ends only the
    /// waiting.
    ///
    /// - Parameters:
    ///   - code: Why. 1000 unless told otherwise. One that may not be sent (``WebSocketCloseCode/canBeSent``) is left out.
    ///   - reason: Why, in words for developers. 123 bytes at most; what is longer is cut.
    public func close(code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        core.close(WebSocketClose(code, reason))
        _ = await core.wait(untilOpen: false)
    }

    // MARK: Sending

    /// Sends a message.
    ///
    /// It returns when the message is in the hands of the system, but for 64 KiB that may wait; so many small messages go
    /// together, and a server that reads slowly slows the sender down. Cancelling the task ends only the waiting: the message
    /// was taken and goes out.
    ///
    /// - Throws: ``NetworkError``: `websocket-not-open` if nothing can be sent now, and nothing was; what ended the connection
    ///   otherwise.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) {
        let link = try core.openLink()
        try link.write(message)
        try await link.drain()
    }

    /// Sends a text.
    ///
    /// - Throws: ``NetworkError``, as ``send(_:)-(WebSocketMessage)`` does.
    public func send(_ text: String) async throws(NetworkError) {
        try await send(.text(text))
    }

    /// Sends a ping and waits for its pong (RFC 6455, section 5.5.2).
    ///
    /// - Returns: How long that took, by the network's time source. It is longer than the way there and back if messages are read
    ///   slowly, since what comes is read in order.
    /// - Throws: ``NetworkError``: `websocket-not-open`, what ended the connection before the pong came, or `cancelled`.
    public func ping() async throws(NetworkError) -> Duration {
        let answer = try core.openLink().ping()
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.resolve(.failure(NetworkError(.cancelled)))
        }.get()
    }

    // MARK: Receiving

    /// The messages of the server, over as many connections as the configuration says.
    ///
    /// They end when the WebSocket is closed in good order, by either side, and throw if it is not. Reading them connects, if
    /// nobody has. Each message goes to one reader. The sequence keeps the WebSocket.
    public var messages: Messages { Messages(socket: self) }

    /// The messages of a ``WebSocket``.
    public struct Messages: AsyncSequence, Sendable {
        public typealias Element = WebSocketMessage

        fileprivate let socket: WebSocket

        /// Begins to read.
        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Reads ``WebSocket/Messages``.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let socket: WebSocket

            /// Waits for the next message.
            ///
            /// - Returns: The message; `nil` once the WebSocket is closed.
            /// - Throws: ``NetworkError``: why it was not closed in good order, or `cancelled` if the task was cancelled, which
            ///   leaves the WebSocket as it is.
            public mutating func next() async throws -> WebSocketMessage? {
                socket.core.start()
                return try await socket.core.inbox.next()
            }
        }
    }
}
