import Foundation
import Pipeline
import Testing

struct WebSocketHandshakeTests {
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    @Test func `answers the key that RFC 6455 shows as it does`() {
        #expect(WebSocketHandshake.accept(for: Self.key) == Self.accept)
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ), (String(repeating: "a", count: 1_000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func `hashes with SHA-1`(message: String, digest: String) {
        #expect(Data(SHA1.digest(of: message.utf8)).hex == digest)
    }

    @Test func `makes a key of 16 bytes, another each time`() {
        let keys = (0..<10).map { _ in WebSocketHandshake.makeKey() }
        #expect(Set(keys).count == 10)
        #expect(keys.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
    }

    private static let good: HTTPHeaders = [
        "Upgrade": "WebSocket", "Connection": "keep-alive, upgrade", "Sec-WebSocket-Accept": accept,
    ]

    @Test func `takes an answer that is right`() throws {
        #expect(try WebSocketHandshake.check(Self.good, key: Self.key, subprotocols: ["chat"]) == nil)
        var headers = Self.good
        headers["Sec-WebSocket-Protocol"] = "chat"
        #expect(try WebSocketHandshake.check(headers, key: Self.key, subprotocols: ["mqtt", "chat"]) == "chat")
    }

    @Test(
        arguments: [
            ("Upgrade", nil, "Upgrade"), ("Upgrade", "h2c", "Upgrade"), ("Upgrade", "websocket, h2c", "Upgrade"),
            ("Connection", nil, "Connection"), ("Connection", "close", "Connection"),
            ("Sec-WebSocket-Accept", nil, "key"),
            ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOp=", "key"),
            ("Sec-WebSocket-Accept", key, "key"), ("Sec-WebSocket-Extensions", "permessage-deflate", "extension"),
            ("Sec-WebSocket-Protocol", "mqtt", "not offered"),
            ("Sec-WebSocket-Protocol", "chat, chat", "more than one"),
            ("Sec-WebSocket-Protocol", "Chat", "not offered"),
        ] as [(HTTPFieldName, String?, String)]
    )
    func `refuses an answer that is not`(name: HTTPFieldName, value: String?, reason: String) {
        var headers = Self.good
        headers[name] = value
        let refusal = #expect(throws: WebSocketHandshake.Refusal.self) {
            try WebSocketHandshake.check(headers, key: Self.key, subprotocols: ["chat"])
        }
        #expect(refusal?.description.contains(reason) == true)
    }

    @Test func `knows the codes that may be sent`() {
        let codes = (UInt16(0)...5100).filter { WebSocketCloseCode($0).canBeSent }
        #expect(codes == Array(1000...1003) + Array(1007...1014) + Array(3000...4999))
    }
}
