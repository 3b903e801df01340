/// What becomes of a ``WebSocket``.
public enum WebSocketState: Sendable {
    /// Nobody has asked for a connection yet.
    case idle
    /// The connection is being made; the handshake goes through all actions.
    case connecting
    /// Messages go both ways. The subprotocol that the server has chosen, if it has.
    case open(subprotocol: String?)
    /// There is no connection, for this reason; `nil` if the server closed in good order. The next one is made after the pause.
    case waiting(WebSocketClose, NetworkError?, reconnectsIn: Duration)
    /// It is over: how, and the error if it did not end well. The code is 1006 if no close came (RFC 6455, section 7.1.5).
    case closed(WebSocketClose, NetworkError?)

    /// Whether messages can be sent.
    public var isOpen: Bool { if case .open = self { true } else { false } }

    /// Whether nothing follows.
    public var isClosed: Bool { if case .closed = self { true } else { false } }
}

/// How a connection of a WebSocket ended.
struct WebSocketEnding: Sendable {
    var close: WebSocketClose
    var error: NetworkError?

    /// The end that a close of the server is. One that says that all is well, or nothing, is no error.
    init(received close: WebSocketClose) {
        self.close = close
        switch close.code {
        case .normalClosure, .goingAway, .noStatusReceived: error = nil
        default: error = NetworkError(.webSocketClosed, "the server closed the WebSocket with \(close)")
        }
    }

    /// The end of a connection without a close.
    init(lost error: NetworkError?) {
        close = WebSocketClose(.abnormalClosure)
        self.error = error
    }

    /// The end of one that was cancelled while it had no connection.
    static var cancelled: WebSocketEnding { WebSocketEnding(lost: NetworkError(.cancelled)) }

    /// The end that we have made because the server broke a rule.
    init(_ fault: WebSocketFault) {
        close = WebSocketClose(fault.code, fault.description)
        let code: NetworkError.Code = fault.code == .messageTooBig ? .webSocketMessageTooLarge : .protocolViolation
        error = NetworkError(code, fault.description)
    }
}

extension ReconnectionPolicy {
    /// Whether a WebSocket that ended in this way is opened anew.
    func reconnects(after ending: WebSocketEnding) -> Bool {
        switch ending.close.code {
        case .abnormalClosure: ending.error.map { reconnects(after: $0) } ?? false
        case .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway: true
        default: false
        }
    }
}
