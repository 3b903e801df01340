/// How a WebSocket is opened, kept and closed.
public struct WebSocketConfiguration: Sendable {
    /// The subprotocols that are offered, the one liked most first (RFC 6455, section 1.9). None by default. The server chooses
    /// one or none; see ``WebSocket/subprotocol``.
    public var subprotocols: [String] = []

    /// How large a message of the server can be, in bytes. 16 MiB by default. For a larger one the WebSocket is closed with 1009,
    /// as soon as the frame says its size, and ends with a `websocket-message-too-large` error.
    public var maximumMessageSize = 16 << 20

    /// How many bytes of messages wait for a slow reader before nothing more is read from the connection, so that the server is
    /// held up. 1 MiB by default. One message more than that can wait.
    public var readAhead = 1 << 20

    /// The largest payload of a frame that is sent, in bytes. A larger message goes in fragments (RFC 6455, section 5.4). `nil`,
    /// the default, sends each message in one frame.
    public var fragmentSize: Int?

    /// After how much time a ping is sent by itself, again and again, so that a connection that has died is noticed and one that
    /// lives is kept open by those in between. 30 seconds by default; `nil` sends none.
    public var pingInterval: Duration? = .seconds(30)

    /// How long a ping that was sent by itself may stay without an answer. 20 seconds by default. After that the connection is
    /// given up with a `timed-out-idle` error. While our own reader holds the connection up, nobody is to blame; and the time
    /// begins anew for as long as bytes come, or bytes that had to wait go, since the ping or its pong can stand behind them.
    public var pongLimit: Duration = .seconds(20)

    /// How long the server may take to answer a close and to end the connection. 5 seconds by default. After that the connection is
    /// cut off.
    public var closeLimit: Duration = .seconds(5)

    /// When a WebSocket that was lost is opened anew, and after which pause. `nil`, the default, never does.
    ///
    /// It does so after failures that may pass (``ReconnectionPolicy/reconnects(after:)``) and after closes with 1001, 1011,
    /// 1012, 1013 and 1014. What was sent over the connection that was lost is not sent again.
    ///
    /// A connection ends the failures in a row that the policy counts only once it has brought a message, or has been open for
    /// the longest pause (the upper of ``ReconnectionPolicy/bounds``, 1 minute by default). So a server that accepts and closes
    /// at once is left alone for longer and longer, and ``ReconnectionPolicy/maximumFailures`` holds for it too.
    public var reconnection: ReconnectionPolicy?

    /// Creates the default configuration.
    public init() {}
}
