#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// WebSockets over `CurlTransport` and real sockets.
    @Suite(.timeLimit(.minutes(3)))
    struct WebSocketOverSocketsTests {
        let server: LoopbackServer
        let network: Network

        init() throws {
            server = try LoopbackServer()
            network = Network(baseURL: server.url, transport: CurlTransport())
            server.handleWebSocket("/echo") { socket in
                while let message = try socket.receive() { try socket.send(message) }
            }
        }

        func socket(_ path: String = "echo", _ configuration: WebSocketConfiguration = .init()) -> WebSocket {
            network.webSocket(server.webSocketURL(path), configuration: configuration)
        }

        @Test func `sends texts and bytes and reads them back`() async throws {
            let socket = socket()
            try await socket.connect()
            #expect(socket.state.isOpen)
            try await socket.send("héllo")
            try await socket.send(.binary(Data([1, 2, 3])))
            try await socket.send("")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("héllo"))
            #expect(try await messages.next() == .binary(Data([1, 2, 3])))
            #expect(try await messages.next() == .text(""))
            await socket.close(code: WebSocketCloseCode(4000), reason: "done")
            #expect(try await messages.next() == nil)
            #expect(socket.closeCode == WebSocketCloseCode(4000))
            #expect(await server.nextClosedConnection().ending == .closedByServer)
        }
    }

    extension LoopbackServer {
        /// Where a WebSocket of the server is.
        func webSocketURL(_ path: String) -> URL {
            guard let url = URL(string: "ws://127.0.0.1:\(port)/\(path)") else { preconditionFailure("\(path)") }
            return url
        }
    }
#endif
