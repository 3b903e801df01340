import Foundation

/// The four bytes that a client scrambles a frame with, so that nobody on the way takes it for HTTP (RFC 6455, section 5.3).
package struct WebSocketMask: Hashable, Sendable {
    /// The bytes in the order in which they stand in the frame.
    package let bytes: [UInt8]

    /// - Precondition: There are four.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count == 4, "a mask has four bytes, got \(bytes.count)")
        self.bytes = bytes
    }

    /// A mask that nobody can foresee.
    package static func random() -> WebSocketMask {
        let number = UInt32.random(in: .min ... .max)
        return WebSocketMask((0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    /// Scrambles bytes, or undoes that.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - offset: How many bytes of the frame's payload stand before them.
    package func apply(to payload: UnsafeMutableRawBufferPointer, at offset: Int = 0) {
        let turned = (0..<8).map { bytes[(offset + $0) % 4] }
        var index = 0
        // Eight at a time, for payloads of megabytes.
        let word = turned.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        while index + 8 <= payload.count {
            let masked = payload.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
            payload.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < payload.count {
            payload[index] ^= turned[index % 8]
            index += 1
        }
    }
}
