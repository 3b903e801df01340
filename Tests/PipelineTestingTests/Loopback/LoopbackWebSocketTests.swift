import Foundation
import Pipeline
import PipelineTesting
import Testing

/// The server's end of a WebSocket, for a client that writes and reads frames by hand.
@Suite(.timeLimit(.minutes(3)))
struct LoopbackWebSocketTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private static let handshake = [
        "Host: x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    /// Sends a request and reads the head of the answer.
    private func ask(_ fields: [String]) throws -> (client: RawClient, head: String) {
        let client = try RawClient(port: server.port)
        try client.send((["GET /socket HTTP/1.1"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
        return (client, try client.read(through: "\r\n\r\n"))
    }

    private func open() throws -> RawClient { try ask(Self.handshake).client }

    private func send(_ frame: WebSocketFrame, isMasked: Bool = true, over client: RawClient) throws {
        try client.send(frame.encoded(mask: isMasked ? .random() : nil))
    }

    /// Reads a short frame as bytes in hex.
    private func frame(from client: RawClient) throws -> String {
        var bytes = Data()
        while bytes.count < 2 || bytes.count < 2 + Int(bytes[1]) {
            let more = try client.read(upTo: bytes.count < 2 ? 2 - bytes.count : 2 + Int(bytes[1]) - bytes.count)
            if more.isEmpty { break }
            bytes.append(more)
        }
        return hex(bytes)
    }

    private func hex(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Answers the close of the server, and expects the end of the connection.
    private func expectEnd(_ client: RawClient) throws {
        try send(WebSocketFrame(.close, Data([0x03, 0xe8])), over: client)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `accepts a handshake as RFC 6455 computes it, with the subprotocol it likes most`() throws {
        server.handleWebSocket("/socket", subprotocols: ["b", "a"]) { socket in
            try socket.send(.text(socket.subprotocol ?? "none"))
        }
        let (client, head) = try ask(Self.handshake + ["Sec-WebSocket-Protocol: a, b"])
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        #expect(head.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(head.contains("\r\nSec-WebSocket-Protocol: b\r\n"))
        #expect(try frame(from: client) == "810162")
        #expect(try frame(from: client) == "880203e8")
        try expectEnd(client)
    }

    @Test(arguments: [1, 3, 4])
    func `answers 426 to what asks for no WebSocket, or for another version`(missing: Int) throws {
        server.handleWebSocket("/socket") { _ in Issue.record("it was opened") }
        var fields = Self.handshake
        fields.remove(at: missing)
        if missing == 3 { fields.append("Sec-WebSocket-Version: 8") }
        let head = try ask(fields).head
        #expect(head.hasPrefix("HTTP/1.1 426 "))
        #expect(head.contains("\r\nUpgrade: websocket\r\n"))
        #expect(head.contains("\r\nSec-WebSocket-Version: 13\r\n"))
    }

    @Test func `sends a message in as many frames as it was asked to`() throws {
        server.handleWebSocket("/socket") { try $0.send(.text("abcde"), fragmentSize: 2) }
        let client = try open()
        try send(WebSocketFrame(.close, Data([0x03, 0xe8])), over: client)
        #expect(try hex(client.readToEnd()) == "01026162" + "00026364" + "800165" + "880203e8")
    }

    @Test func `reads messages, answers pings and remembers them`() async throws {
        let seen = OneShot<([WebSocketMessage], [Data], WebSocketClose?, String?)>()
        server.handleWebSocket("/socket") { socket in
            var messages: [WebSocketMessage] = []
            while let message = try socket.receive() { messages.append(message) }
            seen.resolve((messages, socket.pings, socket.close, socket.fault))
        }
        let client = try open()
        try send(WebSocketFrame(.text, Data("a".utf8), isFinal: false), over: client)
        try send(WebSocketFrame(.ping, Data("1".utf8)), over: client)
        #expect(try frame(from: client) == "8a0131")
        try send(WebSocketFrame(.continuation, Data("b".utf8)), over: client)
        try send(WebSocketFrame(.ping, Data("2".utf8)), over: client)
        #expect(try frame(from: client) == "8a0132")
        try send(WebSocketFrame(.close, Data([0x0f, 0xa0]) + Data("bye".utf8)), over: client)
        #expect(try frame(from: client) == "88020fa0")
        #expect(try client.readToEnd().isEmpty)
        let (messages, pings, close, fault) = await seen.value()
        #expect(messages == [.text("ab")])
        #expect(pings == [Data("1".utf8), Data("2".utf8)])
        #expect(close == WebSocketClose(WebSocketCloseCode(4000), "bye"))
        #expect(fault == nil)
    }

    @Test(arguments: [true, false])
    func `tells whether its own ping was answered`(isAnswered: Bool) async throws {
        let seen = OneShot<Bool>()
        server.handleWebSocket("/socket") { seen.resolve(try $0.ping(Data("p".utf8))) }
        let client = try open()
        #expect(try frame(from: client) == "890170")
        try send(WebSocketFrame(.text, Data("dropped".utf8)), over: client)
        try send(WebSocketFrame(.pong, Data("of another".utf8)), over: client)
        if isAnswered { try send(WebSocketFrame(.pong, Data("p".utf8)), over: client) } else { client.finishSending() }
        #expect(await seen.value() == isAnswered)
    }

    @Test func `closes with the code of the rule that a client breaks, and says which`() async throws {
        let seen = OneShot<(WebSocketMessage?, String?)>()
        server.handleWebSocket("/socket") { socket in
            let message = try socket.receive()
            seen.resolve((message, socket.fault))
        }
        let client = try open()
        try send(WebSocketFrame(.text, Data("bare".utf8)), isMasked: false, over: client)
        #expect(try frame(from: client).dropFirst(4).hasPrefix("03ea"))
        let (message, fault) = await seen.value()
        #expect(message == nil)
        #expect(fault?.contains("mask") == true)
    }

    @Test(arguments: [(10, true), (11, false)])
    func `takes messages up to the size it was given`(size: Int, isTaken: Bool) async throws {
        let seen = OneShot<Int?>()
        server.handle("GET", "/socket") { request in
            .webSocket(for: request, maximumMessageSize: 10) { seen.resolve(try $0.receive()?.size) }
        }
        let client = try open()
        try send(WebSocketFrame(.binary, Data(count: size)), over: client)
        #expect(try frame(from: client).dropFirst(4).hasPrefix(isTaken ? "03e8" : "03f1"))
        #expect(await seen.value() == (isTaken ? 10 : nil))
    }

    @Test func `ends without a close when it was cut`() throws {
        server.handleWebSocket("/socket") { socket in
            try socket.send(.text("a"))
            socket.cut()
        }
        let client = try open()
        client.finishSending()
        #expect(try hex(client.readToEnd()) == "810161")
    }
}
