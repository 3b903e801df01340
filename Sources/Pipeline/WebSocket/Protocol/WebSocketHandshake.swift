import Foundation

/// What both sides show each other before they speak frames (RFC 6455, section 4).
package enum WebSocketHandshake {
    /// The version that is spoken.
    package static let version = "13"

    /// The name that the protocol goes by in `Upgrade` fields.
    package static let upgrade = "websocket"

    /// The URL by which actions and transports know the same place: `ws` is `http`, `wss` is `https` (RFC 6455, section 3).
    static func httpURL(of url: URL) -> URL {
        let text = url.absoluteString
        switch url.scheme?.lowercased() {
        case "ws": return URL(string: "http" + text.dropFirst(2)) ?? url
        case "wss": return URL(string: "https" + text.dropFirst(3)) ?? url
        default: return url
        }
    }

    /// A nonce for the request: 16 bytes that were not used before, in Base64 (section 4.1).
    package static func makeKey() -> String {
        Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    }

    /// What a server answers to a key, to show that it has read it (section 4.2.2).
    package static func accept(for key: String) -> String {
        Data(SHA1.digest(of: (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
    }

    /// Why an answer opens no WebSocket.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Checks the fields of a 101 response (section 4.1).
    ///
    /// - Parameters:
    ///   - headers: The fields.
    ///   - key: What the request had sent.
    ///   - subprotocols: What the request had offered.
    /// - Returns: The subprotocol that the server has chosen; `nil` if it chose none.
    package static func check(
        _ headers: HTTPHeaders,
        key: String,
        subprotocols: [String]
    ) throws(Refusal) -> String? {
        guard tokens(of: .upgrade, in: headers).map({ $0.lowercased() }) == [upgrade] else {
            throw Refusal(description: "its Upgrade field does not say websocket")
        }
        guard tokens(of: .connection, in: headers).contains(where: { $0.lowercased() == "upgrade" }) else {
            throw Refusal(description: "its Connection field does not say Upgrade")
        }
        guard headers.values(of: .secWebSocketAccept) == [accept(for: key)] else {
            throw Refusal(description: "its Sec-WebSocket-Accept field does not belong to the key that was sent")
        }
        guard tokens(of: .secWebSocketExtensions, in: headers).isEmpty else {
            throw Refusal(description: "it uses an extension that was not asked for")
        }
        let chosen = tokens(of: .secWebSocketProtocol, in: headers)
        guard chosen.count <= 1 else { throw Refusal(description: "it chose more than one subprotocol") }
        guard let name = chosen.first else { return nil }
        guard subprotocols.contains(name) else {
            throw Refusal(description: "it chose a subprotocol that was not offered")
        }
        return name
    }

    /// The members of a field that is a list (RFC 9110, section 5.6.1).
    package static func tokens(of name: HTTPFieldName, in headers: HTTPHeaders) -> [String] {
        headers.values(of: name).flatMap { $0.unicodeScalars.split(separator: ",") }
            .map { String($0).trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}

extension HTTPFieldName {
    /// `Sec-WebSocket-Accept`
    package static let secWebSocketAccept: HTTPFieldName = "Sec-WebSocket-Accept"
    /// `Sec-WebSocket-Extensions`
    package static let secWebSocketExtensions: HTTPFieldName = "Sec-WebSocket-Extensions"
    /// `Sec-WebSocket-Key`
    package static let secWebSocketKey: HTTPFieldName = "Sec-WebSocket-Key"
    /// `Sec-WebSocket-Protocol`
    package static let secWebSocketProtocol: HTTPFieldName = "Sec-WebSocket-Protocol"
    /// `Sec-WebSocket-Version`
    package static let secWebSocketVersion: HTTPFieldName = "Sec-WebSocket-Version"
}
