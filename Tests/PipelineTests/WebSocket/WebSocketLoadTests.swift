#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// A WebSocket that has much to send, or to read, while other things happen.
    @Suite(.timeLimit(.minutes(3)))
    struct WebSocketLoadTests {
        let stage: WebSocketStage

        init() throws { stage = try WebSocketStage() }

        @Test func `reads on when the server pings while much waits to be sent`() async throws {
            let gate = LoopbackGate()
            stage.server.handle("GET", "/ping-first") { request in
                var reply = LoopbackReply.webSocket(for: request) { socket in
                    try socket.send(bytes: WebSocketFrame(.ping, Data("ping".utf8)).encoded(mask: nil))
                    while let message = try socket.receive() { try socket.send(message) }
                }
                reply.steps.insert(.wait(gate), at: 1)
                return reply
            }
            let socket = stage.socket("ping-first")
            try await socket.connect()
            // More than both systems take between them, on the way there and back.
            let (count, message) = (200, WebSocketMessage.binary(Data(count: 200_000)))
            let queue = DispatchQueue(label: "sent")
            for _ in 0..<count { socket.send(message, on: queue) { _ in } }
            gate.open()
            var received = 0
            for try await echo in socket.messages {
                #expect(echo == message)
                received += 1
                if received == count { break }
            }
            #expect(received == count)
            await socket.close()
            #expect(socket.closeCode == .normalClosure)
        }
    }
#endif
