package import Foundation

/// The state of a WebSocket between its handshake and its end, without a connection: bytes go in, events and bytes come out (RFC
/// 6455, sections 5 to 7).
///
/// Events are drawn one by one, so that whoever is slow to take them need not have them kept.
package struct WebSocketSession {
    /// Which side this is.
    package enum Role: Sendable, Hashable {
        case client
        case server
    }

    /// What has happened.
    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping(Data)
        case pong(Data)
        /// The other side closes. Nothing of it follows.
        case closed(WebSocketClose)
        /// The other side broke a rule. Nothing of it is read any more.
        case failed(WebSocketFault)
    }

    private let role: Role
    private let answersPings: Bool
    private var parser: WebSocketFrameParser
    private var assembler: WebSocketAssembler
    private var isReading = true

    /// Whether a close has been sent; nothing may follow it.
    package private(set) var hasSentClose = false

    /// What the other side has closed with, once it has.
    package private(set) var received: WebSocketClose?

    /// - Parameters:
    ///   - role: Which side this is.
    ///   - limit: How large a message can be that comes, in bytes.
    ///   - answersPings: Whether each ping is answered at once. Otherwise whoever draws it answers, with ``pong(_:sending:)``.
    package init(_ role: Role, maximumMessageSize limit: Int, answersPings: Bool = true) {
        self.role = role
        self.answersPings = answersPings
        parser = WebSocketFrameParser(expectsMask: role == .server)
        assembler = WebSocketAssembler(upTo: limit)
    }

    // MARK: What comes

    /// Takes bytes that came.
    package mutating func receive(_ bytes: Data) {
        if isReading { parser.append(bytes) }
    }

    /// Draws the next event out of what came.
    ///
    /// - Parameter output: What has to be sent for it is appended here: a pong, a close.
    /// - Returns: The event; `nil` until more bytes come.
    package mutating func next(sending output: inout Data) -> Event? {
        guard isReading else { return nil }
        do {
            while let step = try parser.next() {
                if let event = try assembler.take(step) { return answer(event, sending: &output) }
            }
            return nil
        } catch {
            isReading = false
            close(WebSocketClose(error.code, error.description), sending: &output)
            return .failed(error)
        }
    }

    private mutating func answer(_ event: WebSocketAssembler.Event, sending output: inout Data) -> Event {
        switch event {
        case .message(let message):
            return .message(message)
        case .ping(let payload):
            if answersPings { pong(payload, sending: &output) }
            return .ping(payload)
        case .pong(let payload):
            return .pong(payload)
        case .close(let close):
            isReading = false
            received = close
            // The code goes back as it came (section 5.5.1).
            self.close(WebSocketClose(close.code), sending: &output)
            return .closed(close)
        }
    }

    // MARK: What goes

    /// A message as bytes. It may be sent unless ``hasSentClose``.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - limit: The largest payload of a frame, in bytes; one frame for all of it if `nil`.
    ///   - role: Which side sends it.
    package static func bytes(of message: WebSocketMessage, upTo limit: Int? = nil, from role: Role) -> Data {
        let frames = message.frames(upTo: limit)
        var bytes = Data(capacity: message.size + frames.count * 14)
        for frame in frames { frame.encode(mask: role == .client ? .random() : nil, into: &bytes) }
        return bytes
    }

    /// Sends a ping.
    ///
    /// - Parameter payload: What the pong will hold; 125 bytes at most.
    package mutating func ping(_ payload: Data, sending output: inout Data) {
        send(WebSocketFrame(.ping, payload), into: &output)
    }

    /// Answers a ping.
    ///
    /// - Parameter payload: What the ping held.
    package mutating func pong(_ payload: Data, sending output: inout Data) {
        send(WebSocketFrame(.pong, payload), into: &output)
    }

    /// Closes, unless that was done. A code that may not be sent is left out, and a reason that is too long is cut.
    package mutating func close(_ close: WebSocketClose, sending output: inout Data) {
        guard !hasSentClose else { return }
        var payload = Data()
        if close.code.canBeSent {
            withUnsafeBytes(of: close.code.rawValue.bigEndian) { payload.append(contentsOf: $0) }
            payload.append(contentsOf: close.reason.utf8Prefix(WebSocketFrame.largestControlPayload - 2))
        }
        send(WebSocketFrame(.close, payload), into: &output)
        hasSentClose = true
    }

    private func send(_ frame: WebSocketFrame, into output: inout Data) {
        if !hasSentClose { frame.encode(mask: role == .client ? .random() : nil, into: &output) }
    }
}

extension String {
    /// As much of the beginning as fits into so many bytes of UTF-8, no character cut in two.
    package func utf8Prefix(_ limit: Int) -> [UInt8] {
        guard utf8.count > limit else { return Array(utf8) }
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            let character = Array(String(scalar).utf8)
            if bytes.count + character.count > limit { break }
            bytes += character
        }
        return bytes
    }
}
