public import Foundation

/// What a WebSocket carries: a text or bytes, whole, however many frames it takes (RFC 6455, section 5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// A text. It travels in UTF-8.
    case text(String)
    /// Bytes.
    case binary(Data)

    /// How many bytes the message has on the wire, without what frames it.
    public var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}
