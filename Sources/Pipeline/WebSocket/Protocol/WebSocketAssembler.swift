package import Foundation

/// Puts messages together out of frames: fragments, control frames between them, texts that must be UTF-8 (RFC 6455, sections
/// 5.4, 5.5 and 8.1).
package struct WebSocketAssembler {
    /// What is whole.
    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping(Data)
        case pong(Data)
        /// A close with what it holds; without a code it is 1005.
        case close(WebSocketClose)
    }

    private let limit: Int
    /// What the message under way is; `nil` between messages.
    private var kind: WebSocketOpcode?
    private var message = Data()
    private var text = UTF8Checker()
    /// The frame under way.
    private var frame: WebSocketFrameHead?
    private var control = Data()

    /// - Parameter limit: How large a message can be, in bytes.
    package init(upTo limit: Int) { self.limit = limit }

    /// Takes what the parser has read.
    ///
    /// - Returns: What it makes whole, if anything.
    /// - Throws: ``WebSocketFault``: 1002 for frames out of order, 1007 for a text that is not UTF-8, as soon as that is certain,
    ///   1009 for a message that is too large, before its payload has come.
    package mutating func take(_ step: WebSocketFrameParser.Step) throws(WebSocketFault) -> Event? {
        switch step {
        case .head(let head):
            try begin(head)
            return nil
        case .payload(let bytes):
            if frame?.opcode.isControl == true { control.append(bytes) } else { try append(bytes) }
            return nil
        case .end:
            guard let frame else { return nil }
            return frame.opcode.isControl ? try endControl(frame.opcode) : try endData(frame)
        }
    }

    private mutating func begin(_ head: WebSocketFrameHead) throws(WebSocketFault) {
        frame = head
        control = Data()
        guard !head.opcode.isControl else { return }
        if head.opcode == .continuation {
            guard kind != nil else { throw .violation("a continuation without a message to continue") }
        } else {
            guard kind == nil else { throw .violation("a message begins before the one before it has ended") }
            kind = head.opcode
            text = UTF8Checker()
        }
        guard head.length <= UInt64(max(0, limit - message.count)) else {
            throw WebSocketFault(.messageTooBig, "a message is larger than \(limit) bytes")
        }
    }

    private mutating func append(_ bytes: Data) throws(WebSocketFault) {
        if kind == .text, !bytes.withUnsafeBytes({ text.accepts($0) }) { throw Self.noText }
        if message.isEmpty {
            message = bytes
            // Room for all of the frame, so that what follows is not moved again and again; no more than seems honest.
            if let length = frame?.length, length > UInt64(bytes.count) {
                message.reserveCapacity(Int(min(length, 1 << 20)))
            }
        } else {
            message.append(bytes)
        }
    }

    private mutating func endData(_ frame: WebSocketFrameHead) throws(WebSocketFault) -> Event? {
        guard frame.isFinal else { return nil }
        defer {
            message = Data()
            kind = nil
        }
        guard kind == .text else { return .message(.binary(message)) }
        guard text.isComplete else { throw Self.noText }
        return .message(.text(String(decoding: message, as: UTF8.self)))
    }

    private func endControl(_ opcode: WebSocketOpcode) throws(WebSocketFault) -> Event? {
        switch opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        default: return .close(try close())
        }
    }

    /// Reads the payload of a close (RFC 6455, section 5.5.1).
    private func close() throws(WebSocketFault) -> WebSocketClose {
        if control.isEmpty { return WebSocketClose(.noStatusReceived) }
        guard control.count >= 2 else { throw .violation("a close has half a code") }
        let bytes = Array(control)
        let code = WebSocketCloseCode(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.canBeSent else { throw .violation("a close has the code \(code), which nobody may send") }
        guard let reason = String(bytes: bytes[2...], encoding: .utf8) else { throw Self.noText }
        return WebSocketClose(code, reason)
    }

    private static let noText = WebSocketFault(.invalidPayload, "a text is not UTF-8")
}
