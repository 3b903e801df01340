package import Foundation

/// What a frame is (RFC 6455, section 5.2).
package enum WebSocketOpcode: UInt8, Hashable, Sendable, CaseIterable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it is about the connection rather than part of a message.
    package var isControl: Bool { rawValue & 0x8 != 0 }
}

/// A piece of a message, or a control frame, as it is sent (RFC 6455, section 5.2).
package struct WebSocketFrame: Hashable, Sendable {
    package var opcode: WebSocketOpcode
    package var isFinal: Bool
    package var payload: Data

    package init(_ opcode: WebSocketOpcode, _ payload: Data = Data(), isFinal: Bool = true) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.payload = payload
    }

    /// The largest payload of a control frame (RFC 6455, section 5.5).
    package static let largestControlPayload = 125

    /// The frame as bytes.
    ///
    /// - Parameter mask: What a client scrambles the payload with; `nil` for a server.
    package func encoded(mask: WebSocketMask?) -> Data {
        var bytes = Data(capacity: payload.count + 14)
        encode(mask: mask, into: &bytes)
        return bytes
    }

    /// Appends the frame to bytes.
    package func encode(mask: WebSocketMask?, into bytes: inout Data) {
        bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let masked: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125:
            bytes.append(masked | UInt8(payload.count))
        case ...0xFFFF:
            bytes.append(masked | 126)
            withUnsafeBytes(of: UInt16(payload.count).bigEndian) { bytes.append(contentsOf: $0) }
        default:
            bytes.append(masked | 127)
            withUnsafeBytes(of: UInt64(payload.count).bigEndian) { bytes.append(contentsOf: $0) }
        }
        if let mask { bytes.append(contentsOf: mask.bytes) }
        let start = bytes.count
        bytes.append(payload)
        guard let mask else { return }
        bytes.withUnsafeMutableBytes { mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }
}

extension WebSocketMessage {
    /// The frames of the message.
    ///
    /// - Parameter limit: The largest payload of a frame, in bytes; one frame for all of it if `nil`.
    package func frames(upTo limit: Int? = nil) -> [WebSocketFrame] {
        let (opcode, payload) =
            switch self {
            case .text(let text): (WebSocketOpcode.text, Data(text.utf8))
            case .binary(let data): (WebSocketOpcode.binary, data)
            }
        guard let limit = limit.map({ max(1, $0) }), payload.count > limit else {
            return [WebSocketFrame(opcode, payload)]
        }
        return stride(from: 0, to: payload.count, by: limit).map { offset in
            let start = payload.startIndex + offset
            let end = min(start + limit, payload.endIndex)
            return WebSocketFrame(
                offset == 0 ? opcode : .continuation,
                payload[start..<end],
                isFinal: end == payload.endIndex
            )
        }
    }
}
