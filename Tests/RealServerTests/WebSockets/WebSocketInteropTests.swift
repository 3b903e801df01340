#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// Conversations with the Python packages `websockets` and `wsproto`.
    @Suite(
        .enabled(if: WebSocketServers.areThere, "needs servers: Scripts/interop-websockets starts them and runs this"),
        .serialized,
        .timeLimit(.minutes(5))
    )
    struct WebSocketInteropTests {
        let servers: WebSocketServers

        init() throws { servers = try WebSocketServers() }

        private func socket(
            _ peer: WebSocketPeer,
            _ path: String,
            _ configuration: WebSocketConfiguration = WebSocketConfiguration()
        ) throws -> WebSocket {
            try servers.network().webSocket(servers.url(peer, path), configuration: configuration)
        }

        @Test(arguments: WebSocketPeer.allCases, [nil, 100_000])
        func `echoes 16 MB`(peer: WebSocketPeer, fragmentSize: Int?) async throws {
            var configuration = WebSocketConfiguration()
            configuration.fragmentSize = fragmentSize
            let socket = try socket(peer, "echo", configuration)
            try await socket.connect()
            var bytes = Data(capacity: 16 << 20)
            for number in UInt32(0)..<(4 << 20) {
                withUnsafeBytes(of: number &* 2_654_435_761) { bytes.append(contentsOf: $0) }
            }
            let message = WebSocketMessage.binary(bytes)
            async let sending: Void = socket.send(message)
            var messages = socket.messages.makeAsyncIterator()
            let answer = try await messages.next()
            try await sending
            #expect(answer == message)
            await socket.close()
            #expect(socket.closeCode == .normalClosure)
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `echoes a text of 16 MB`(peer: WebSocketPeer) async throws {
            let socket = try socket(peer, "echo")
            try await socket.connect()
            let text = String(repeating: "zwölf Boxkämpfer jagen Viktor 🥊 ", count: (16 << 20) / 38)
            async let sending: Void = socket.send(text)
            var messages = socket.messages.makeAsyncIterator()
            let answer = try await messages.next()
            try await sending
            #expect(answer == .text(text))
            await socket.close()
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `takes 100,000 small messages in order`(peer: WebSocketPeer) async throws {
            let socket = try socket(peer, "count?to=100000")
            var next = 0
            for try await message in socket.messages {
                guard message == .text("\(next)") else { break }
                next += 1
            }
            #expect(next == 100_000)
            #expect(socket.closeCode == .normalClosure)
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `sends 100,000 small messages and reads them back`(peer: WebSocketPeer) async throws {
            let socket = try socket(peer, "echo")
            try await socket.connect()
            let sending = Task { for number in 0..<100_000 { try await socket.send("\(number)") } }
            var next = 0
            for try await message in socket.messages {
                guard message == .text("\(next)") else { break }
                next += 1
                if next == 100_000 { break }
            }
            #expect(next == 100_000)
            try await sending.value
            await socket.close()
        }

        @Test(arguments: WebSocketPeer.allCases, [1, 2, 3])
        func `puts messages of random fragments together`(peer: WebSocketPeer, seed: Int) async throws {
            let socket = try socket(peer, "fragments?seed=\(seed)")
            var state = seed
            func draw(_ limit: Int) -> Int {
                state = state * 48271 % 2_147_483_647
                return state % limit
            }
            var number = 0
            for try await message in socket.messages {
                let text = String(repeating: "€\(number) ", count: draw(300))
                #expect(message == (draw(2) == 1 ? .text(text) : .binary(Data(text.utf8))))
                _ = draw(50)
                number += 1
            }
            #expect(number == 200)
        }

        @Test(arguments: WebSocketPeer.allCases, [1, 7, 1000])
        func `sends fragments that are put together there`(peer: WebSocketPeer, size: Int) async throws {
            var configuration = WebSocketConfiguration()
            configuration.fragmentSize = size
            let socket = try socket(peer, "echo", configuration)
            try await socket.connect()
            var messages = socket.messages.makeAsyncIterator()
            for count in [0, 1, 2, 125, 126, 500] {
                let text = String(repeating: "🥊é", count: count)
                try await socket.send(text)
                #expect(try await messages.next() == .text(text))
                try await socket.send(.binary(Data(repeating: 1, count: count)))
                #expect(try await messages.next() == .binary(Data(repeating: 1, count: count)))
            }
            await socket.close()
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `holds up a server that floods, and loses nothing`(peer: WebSocketPeer) async throws {
            let flood = try socket(peer, "flood?blocks=1000")
            let other = try socket(peer, "echo")
            try await other.connect()
            var replies = other.messages.makeAsyncIterator()
            var number = 0
            for try await message in flood.messages {
                #expect(message == .binary(Data(repeating: UInt8(number % 251), count: 65_536)))
                number += 1
                // A trip there and back for each: a reader that is slower than the server.
                try await other.send("\(number)")
                #expect(try await replies.next() == .text("\(number)"))
            }
            #expect(number == 1000)
            await other.close()
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `waits for a server that reads slowly`(peer: WebSocketPeer) async throws {
            let socket = try socket(peer, "slow")
            try await socket.connect()
            let sending = Task { for _ in 0..<200 { try await socket.send(.binary(Data(count: 200_000))) } }
            var count = 0
            for try await message in socket.messages {
                #expect(message == .text("200000"))
                count += 1
                if count == 200 { break }
            }
            try await sending.value
            #expect(count == 200)
            await socket.close()
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `answers pings, and gets pongs`(peer: WebSocketPeer) async throws {
            let asked = try socket(peer, "ping")
            var count = 0
            for try await message in asked.messages {
                #expect(message == .text("pong"))
                count += 1
            }
            #expect(count == 3)

            let asking = try socket(peer, "echo")
            try await asking.connect()
            #expect(try await asking.ping() > .zero)
            await asking.close()
        }

        @Test(arguments: WebSocketPeer.allCases, [1000, 1001, 1008, 1011, 3333, 4999])
        func `tells the code and the reason of the server`(peer: WebSocketPeer, code: UInt16) async throws {
            let socket = try socket(peer, "close?code=\(code)&reason=gr%C3%BCn")
            do {
                for try await _ in socket.messages {}
                #expect(code <= 1001)
            } catch {
                #expect(code > 1001)
                #expect(error.networkError?.code == .webSocketClosed)
            }
            #expect(socket.closeCode == WebSocketCloseCode(code))
            #expect(socket.closeReason == "grün")
        }

        @Test(arguments: WebSocketPeer.allCases, ["end", "reset"])
        func `tells an abrupt end`(peer: WebSocketPeer, how: String) async throws {
            let socket = try socket(peer, how)
            try await socket.connect()
            try await socket.send("go")
            let error = await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
            #expect(error?.code == .connectionLost)
            #expect(socket.closeCode == .abnormalClosure)
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `settles on a subprotocol, or on none`(peer: WebSocketPeer) async throws {
            for (offered, chosen) in [(["first", "third", "second"], "second"), (["first"], nil), ([], nil)]
                as [([String], String?)]
            {
                var configuration = WebSocketConfiguration()
                configuration.subprotocols = offered
                let socket = try socket(peer, "echo", configuration)
                try await socket.connect()
                #expect(socket.subprotocol == chosen)
                await socket.close()
            }
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `tells a refusal with its payload`(peer: WebSocketPeer) async throws {
            let socket = try socket(peer, "refuse")
            let error = await #expect(throws: NetworkError.self) { try await socket.connect() }
            #expect(error?.statusCode == 403)
            #expect(error?.payloadData == Data("not today\n".utf8))
        }

        @Test(arguments: WebSocketPeer.Library.allCases)
        func `checks pins before the handshake`(library: WebSocketPeer.Library) async throws {
            let peer = WebSocketPeer(library: library, isSecure: true)
            let right = try servers.network(pins: ["localhost": [Pin(servers.pin)]])
            let socket = try right.webSocket(servers.url(peer, "echo"))
            try await socket.connect()
            await socket.close()

            let wrong = try servers.network(pins: [
                "localhost": [Pin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
            ])
            let refused = try wrong.webSocket(servers.url(peer, "echo"))
            let error = await #expect(throws: NetworkError.self) { try await refused.connect() }
            #expect(error?.code == .pinMismatch)
            #expect(error?.reach == .no)
        }

        @Test(arguments: WebSocketPeer.Library.allCases)
        func `verifies the certificate`(library: WebSocketPeer.Library) async throws {
            let peer = WebSocketPeer(library: library, isSecure: true)
            let socket = try Network(transport: CurlTransport()).webSocket(servers.url(peer, "echo"))
            let error = await #expect(throws: NetworkError.self) { try await socket.connect() }
            #expect(error?.code == .tlsUntrusted)
            #expect(error?.reach == .no)
        }

        @Test(arguments: WebSocketPeer.allCases)
        func `talks to a hundred at once`(peer: WebSocketPeer) async throws {
            let network = try servers.network()
            let url = try servers.url(peer, "echo")
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let socket = network.webSocket(url)
                        try await socket.connect()
                        var messages = socket.messages.makeAsyncIterator()
                        for turn in 0..<10 {
                            try await socket.send("\(number) \(turn)")
                            #expect(try await messages.next() == .text("\(number) \(turn)"))
                        }
                        await socket.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }
#endif
