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

        @Test func `reads what came before a close, though nothing can be written`() async throws {
            let (second, rest) = (LoopbackGate(), LoopbackGate())
            let (piece, count) = (WebSocketMessage.binary(Data(count: 4096)), 10)
            let isThere = OneShot<Void>()
            stage.server.handle("GET", "/close") { request in
                let head = LoopbackReply.webSocket(for: request) { _ in }.steps[0]
                let bytes = WebSocketSession.bytes(of: piece, from: .server)
                return LoopbackReply([
                    head, .bytes(bytes), .wait(second),
                    .converse { stream in
                        try stream.write(bytes)
                        isThere.resolve(())
                    },
                    .wait(rest), .repeating(bytes, count: count),
                    .bytes(WebSocketFrame(.close, Data([0x03, 0xe8]) + Data("all".utf8)).encoded(mask: nil)), .close,
                ])
            }
            stage.server.handle("GET", "/other") { _ in .text("other") }
            var limits = CurlTransport.Configuration()
            limits.readAhead = 1
            let network = Network(baseURL: stage.server.url, transport: CurlTransport(configuration: limits))
            var configuration = WebSocketConfiguration()
            configuration.readAhead = 1
            configuration.pingInterval = nil
            let socket = network.webSocket(stage.url("close"), configuration: configuration)
            try await socket.connect()
            second.open()
            await isThere.value()
            // The second message comes over the same event loop before these do, and holds the connection up.
            for _ in 0..<2 { _ = try await network.send(NetworkRequest(url: stage.server.url.joining("other"))) }
            rest.open()
            while await stage.server.nextClosedConnection().requests.first?.path != "/close" {}

            // The first bytes draw a reset, and those after it cannot be sent.
            let error = await #expect(throws: NetworkError.self) {
                while true { try await socket.send(.binary(Data(count: 100_000))) }
            }
            #expect(error?.code == .connectionLost)

            var received = 0
            for try await message in socket.messages {
                #expect(message == piece)
                received += 1
            }
            #expect(received == count + 2)
            #expect(socket.closeCode == .normalClosure)
            #expect(socket.closeReason == "all")
        }
    }
#endif
