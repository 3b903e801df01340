public import Foundation
public import Pipeline

/// The server's end of a WebSocket (RFC 6455), in the hands of a handler (``LoopbackServer/handleWebSocket(_:subprotocols:_:)``).
///
/// Reading and writing block the connection's own thread. They throw when the connection ends or the server is stopped; let such
/// errors pass. Pings of the client are answered while messages are read.
public final class LoopbackWebSocket {
    /// The request that opened it.
    public let request: LoopbackRequest

    /// The subprotocol that was settled on.
    public let subprotocol: String?

    /// What the client has closed with, once it has.
    public var close: WebSocketClose? { session.received }

    /// The rule that the client has broken, if it has. The WebSocket was closed with its code.
    public private(set) var fault: String?

    /// The payloads of the pings that the client has sent, in order.
    public private(set) var pings: [Data] = []

    private let stream: LoopbackStream
    private var session: WebSocketSession
    private var isCut = false

    init(_ stream: LoopbackStream, request: LoopbackRequest, subprotocol: String?, maximumMessageSize: Int) {
        self.stream = stream
        self.request = request
        self.subprotocol = subprotocol
        session = WebSocketSession(.server, maximumMessageSize: maximumMessageSize)
    }

    // MARK: Reading

    /// Reads the next message.
    ///
    /// - Returns: The message; `nil` when the client has closed, has broken a rule, or has ended the connection.
    /// - Throws: An error that is of no use to you, if the connection was reset or the server stopped.
    public func receive() throws -> WebSocketMessage? {
        while let event = try nextEvent() {
            if case .message(let message) = event { return message }
        }
        return nil
    }

    private func nextEvent() throws -> WebSocketSession.Event? {
        while true {
            var output = Data()
            let event = session.next(sending: &output)
            if !output.isEmpty { try stream.write(output) }
            switch event {
            case nil: break
            case .closed, .failed:
                if case .failed(let fault) = event { self.fault = fault.description }
                return nil
            case .ping(let payload):
                pings.append(payload)
                return event
            default: return event
            }
            let bytes = try stream.read(upTo: 64 * 1024)
            if bytes.isEmpty { return nil }
            session.receive(bytes)
        }
    }

    // MARK: Writing

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - fragmentSize: The largest payload of a frame, in bytes; all in one frame unless told otherwise.
    public func send(_ message: WebSocketMessage, fragmentSize: Int? = nil) throws {
        try stream.write(WebSocketSession.bytes(of: message, upTo: fragmentSize, from: .server))
    }

    /// Sends exactly these bytes, whatever they are: frames that break the rules, or half of one.
    public func send(bytes: Data) throws { try stream.write(bytes) }

    /// Sends a ping and reads until its pong has come; messages that come before are dropped.
    ///
    /// - Returns: Whether the pong came before the end.
    public func ping(_ payload: Data = Data()) throws -> Bool {
        var output = Data()
        session.ping(payload, sending: &output)
        try stream.write(output)
        while let event = try nextEvent() {
            if event == .pong(payload) { return true }
        }
        return false
    }

    /// Closes and reads until the client has answered; messages that come before are dropped. The connection is closed when the
    /// handler returns.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") throws {
        guard !session.hasSentClose else { return }
        var output = Data()
        session.close(WebSocketClose(code, reason), sending: &output)
        try stream.write(output)
        while try nextEvent() != nil {}
    }

    /// Has the connection end without a close when the handler returns.
    public func cut() { isCut = true }

    /// Ends what a handler has left open.
    func finish() throws {
        if !isCut { try close() }
    }
}
