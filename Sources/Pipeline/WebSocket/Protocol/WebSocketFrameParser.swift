package import Foundation

/// The beginning of a frame, without its mask (RFC 6455, section 5.2).
package struct WebSocketFrameHead: Hashable, Sendable {
    package let opcode: WebSocketOpcode
    package let isFinal: Bool
    package let length: UInt64

    package init(opcode: WebSocketOpcode, isFinal: Bool, length: UInt64) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.length = length
    }
}

/// Reads frames out of bytes that come in pieces, cut anywhere.
///
/// It hands a payload on as it comes, rather than keep a frame of any size, and refuses what RFC 6455, section 5.2, does as soon
/// as the bytes that show it are there.
package struct WebSocketFrameParser {
    /// What comes next.
    package enum Step: Hashable, Sendable {
        case head(WebSocketFrameHead)
        /// A piece of the payload, unmasked, never empty.
        case payload(Data)
        /// The frame is whole.
        case end
    }

    private enum Place {
        case head
        case payload(left: UInt64, passed: Int)
    }

    private let expectsMask: Bool
    private var place = Place.head
    private var mask: WebSocketMask?
    private var bytes = Data()
    /// How many of the bytes have been used.
    private var used = 0

    /// - Parameter expectsMask: Whether frames must be masked: those of a client must, those of a server must not be (section
    ///   5.1).
    package init(expectsMask: Bool) { self.expectsMask = expectsMask }

    /// Takes the next bytes.
    package mutating func append(_ more: Data) {
        if used == bytes.count {
            bytes = more
            used = 0
        } else {
            bytes = bytes.subdata(in: bytes.startIndex + used..<bytes.endIndex)
            bytes.append(more)
            used = 0
        }
    }

    /// Reads on.
    ///
    /// - Returns: What comes next; `nil` if more bytes are needed to know.
    /// - Throws: ``WebSocketFault`` 1002 for a head that breaks a rule. There is nothing to be read after that.
    package mutating func next() throws(WebSocketFault) -> Step? {
        switch place {
        case .head:
            guard let (head, mask, size) = try readHead() else { return nil }
            self.mask = mask
            used += size
            place = .payload(left: head.length, passed: 0)
            return .head(head)
        case .payload(0, _):
            place = .head
            return .end
        case .payload(let left, let passed):
            let count = Int(min(left, UInt64(bytes.count - used)))
            guard count > 0 else { return nil }
            var piece = take(count)
            if let mask { piece.withUnsafeMutableBytes { mask.apply(to: $0, at: passed) } }
            place = .payload(left: left - UInt64(count), passed: (passed + count) % 4)
            return .payload(piece)
        }
    }

    private mutating func take(_ count: Int) -> Data {
        defer { used += count }
        // Those who are handed a message may count its bytes from zero.
        if used == 0, count == bytes.count, bytes.startIndex == 0 { return bytes }
        let start = bytes.startIndex + used
        return bytes.subdata(in: start..<start + count)
    }

    // MARK: The head

    private func byte(_ index: Int) -> UInt8 { bytes[bytes.startIndex + used + index] }

    private func number(at index: Int, size: Int) -> UInt64 {
        (index..<index + size).reduce(0) { $0 << 8 | UInt64(byte($1)) }
    }

    private func readHead() throws(WebSocketFault) -> (WebSocketFrameHead, WebSocketMask?, size: Int)? {
        let count = bytes.count - used
        guard count >= 1 else { return nil }
        let first = byte(0)
        guard first & 0x70 == 0 else { throw .violation("a frame has a reserved bit set, and no extension is in use") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .violation("a frame has the opcode \(first & 0x0F), which means nothing")
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .violation("a control frame is fragmented") }
        guard count >= 2 else { return nil }
        let second = byte(1)
        let isMasked = second & 0x80 != 0
        guard isMasked == expectsMask else {
            throw .violation(isMasked ? "a frame of the server is masked" : "a frame of the client is not masked")
        }
        let sign = second & 0x7F
        guard sign <= 125 || !opcode.isControl else { throw .violation("a control frame has more than 125 bytes") }
        let lengthSize = sign == 126 ? 2 : sign == 127 ? 8 : 0
        let size = 2 + lengthSize + (isMasked ? 4 : 0)
        guard count >= 2 + lengthSize else { return nil }
        let length = lengthSize == 0 ? UInt64(sign) : number(at: 2, size: lengthSize)
        guard length >> 63 == 0 else { throw .violation("a length has its first bit set") }
        guard lengthSize == 0 || length > (lengthSize == 2 ? 125 : 0xFFFF) else {
            throw .violation("a length is written in more bytes than it needs")
        }
        guard count >= size else { return nil }
        let mask = isMasked ? WebSocketMask((0..<4).map { byte(2 + lengthSize + $0) }) : nil
        return (WebSocketFrameHead(opcode: opcode, isFinal: isFinal, length: length), mask, size)
    }
}
