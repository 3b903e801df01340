#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// WebSockets over `CurlTransport` and real sockets.
    @Suite(.timeLimit(.minutes(3)))
    struct WebSocketOverSocketsTests {
        let stage: WebSocketStage

        init() throws { stage = try WebSocketStage() }

        @Test func `sends texts and bytes and reads them back`() async throws {
            let socket = stage.socket("echo")
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
            #expect(await stage.server.nextClosedConnection().ending == .closedByServer)
        }

        @Test(arguments: [nil, 1 << 16, 1_000_003])
        func `sends 16 MB and reads them back`(fragmentSize: Int?) async throws {
            var configuration = WebSocketConfiguration()
            configuration.fragmentSize = fragmentSize
            let socket = stage.socket("echo", configuration)
            try await socket.connect()
            let message = WebSocketMessage.binary(Self.noise(of: 16 << 20))
            async let sending: Void = socket.send(message)
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == message)
            try await sending
            await socket.close()
        }

        @Test func `reads 100,000 small messages in order while it sends them`() async throws {
            let socket = stage.socket("echo")
            try await socket.connect()
            let count = 100_000
            let sending = Task {
                for number in 0..<count { try await socket.send("\(number)") }
            }
            var next = 0
            for try await message in socket.messages {
                guard message == .text("\(next)") else {
                    Issue.record("\(next): \(message)")
                    break
                }
                next += 1
                if next == count { break }
            }
            try await sending.value
            #expect(next == count)
            await socket.close()
        }

        @Test func `reads messages in random fragments, and answers pings between them`() async throws {
            stage.server.handleWebSocket("/fragments") { socket in
                var generator = SeededGenerator(seed: 7)
                for number in 0..<200 {
                    let text = String(repeating: "€\(number)", count: Int.random(in: 0...200, using: &generator))
                    let size = Int.random(in: 1...40, using: &generator)
                    var bytes = Data()
                    for frame in WebSocketMessage.text(text).frames(upTo: size) {
                        frame.encode(mask: nil, into: &bytes)
                        guard Bool.random(using: &generator) else { continue }
                        WebSocketFrame(.ping, Data("\(number)".utf8)).encode(mask: nil, into: &bytes)
                    }
                    while !bytes.isEmpty {
                        let piece = bytes.prefix(Int.random(in: 1...5000, using: &generator))
                        try socket.send(bytes: piece)
                        bytes = bytes.dropFirst(piece.count)
                    }
                }
            }
            let socket = stage.socket("fragments")
            var generator = SeededGenerator(seed: 7)
            var number = 0
            for try await message in socket.messages {
                let text = String(repeating: "€\(number)", count: Int.random(in: 0...200, using: &generator))
                #expect(message == .text(text))
                let size = Int.random(in: 1...40, using: &generator)
                var bytes = 0
                for frame in WebSocketMessage.text(text).frames(upTo: size) {
                    bytes += frame.encoded(mask: nil).count
                    if Bool.random(using: &generator) {
                        bytes += WebSocketFrame(.ping, Data("\(number)".utf8)).encoded(mask: nil).count
                    }
                }
                while bytes > 0 { bytes -= min(bytes, Int.random(in: 1...5000, using: &generator)) }
                number += 1
            }
            #expect(number == 200)
            #expect(socket.closeCode == .normalClosure)
        }

        @Test func `sends fragments that the server puts together`() async throws {
            var configuration = WebSocketConfiguration()
            configuration.fragmentSize = 3
            let socket = stage.socket("echo", configuration)
            try await socket.connect()
            try await socket.send("zwölf Boxkämpfer")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("zwölf Boxkämpfer"))
            await socket.close()
        }

        @Test func `tells how long a pong takes, and ignores pongs that nobody asked for`() async throws {
            let clock = ManualClock()
            stage.server.handleWebSocket("/pongs") { socket in
                try socket.send(bytes: WebSocketFrame(.pong, Data("unasked".utf8)).encoded(mask: nil))
                while try socket.receive() != nil {}
            }
            let socket = stage.network(clock).webSocket(stage.url("pongs"))
            try await socket.connect()
            #expect(try await socket.ping() == .zero)
            await socket.close()
        }

        @Test func `tells each state, to everyone who asks`() async throws {
            let socket = stage.socket("echo")
            let states = (socket.states, socket.states)
            try await socket.connect()
            await socket.close(reason: "bye")
            for stream in [states.0, states.1] {
                var names: [String] = []
                for await state in stream { names.append(state.name) }
                #expect(names == ["idle", "connecting", "open", "closed 1000"])
            }
            var late: [String] = []
            for await state in socket.states { late.append(state.name) }
            #expect(late == ["closed 1000"])
        }

        @Test func `does not send before it is open, nor after`() async throws {
            let socket = stage.socket("echo")
            let early = await #expect(throws: NetworkError.self) { try await socket.send("early") }
            #expect(early?.code == .webSocketNotOpen)
            #expect(early?.reach == .no)
            try await socket.connect()
            await socket.close()
            let late = await #expect(throws: NetworkError.self) { try await socket.send("late") }
            #expect(late?.code == .webSocketNotOpen)
            let ping = await #expect(throws: NetworkError.self) { try await socket.ping() }
            #expect(ping?.code == .webSocketNotOpen)
            let again = await #expect(throws: NetworkError.self) { try await socket.connect() }
            #expect(again?.code == .webSocketNotOpen)
        }

        @Test func `holds the server up while nobody reads, and loses nothing`() async throws {
            let sent = Locked(0)
            let count = 1_000
            stage.server.handleWebSocket("/flood") { socket in
                for number in 0..<count {
                    try socket.send(.binary(Data(repeating: UInt8(truncatingIfNeeded: number), count: 64 * 1024)))
                    sent.withLock { $0 = number + 1 }
                }
            }
            let socket = stage.socket("flood")
            var number = 0
            for try await message in socket.messages {
                // What waits in both of our buffers and in the system's: far less than all of it.
                let lead = sent.withLock { $0 } - number
                guard lead < 500 else {
                    Issue.record("the server was let send \(lead) messages ahead")
                    break
                }
                #expect(message == .binary(Data(repeating: UInt8(truncatingIfNeeded: number), count: 64 * 1024)))
                number += 1
            }
            #expect(number == count)
        }

        @Test func `is slowed down by a server that reads slowly`() async throws {
            let gate = LoopbackGate()
            stage.server.handle("GET", "/closed-gate") { request in
                var reply = LoopbackReply.webSocket(for: request) { socket in
                    while let message = try socket.receive() { try socket.send(.text("\(message.size)")) }
                }
                reply.steps.insert(.wait(gate), at: 1)
                return reply
            }
            let socket = stage.socket("closed-gate")
            try await socket.connect()
            let isSent = Locked(false)
            let sending = Task {
                // More than the system takes of its own accord.
                try await socket.send(.binary(Data(count: 16 << 20)))
                isSent.withLock { $0 = true }
            }
            await gate.arrival()
            #expect(!isSent.withLock { $0 })
            gate.open()
            try await sending.value
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("\(16 << 20)"))
            await socket.close()
        }

        @Test func `serves hundreds at once`() async throws {
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask { [stage] in
                        let socket = stage.socket("echo")
                        try await socket.connect()
                        for turn in 0..<5 {
                            try await socket.send("\(number) \(turn)")
                            var messages = socket.messages.makeAsyncIterator()
                            #expect(try await messages.next() == .text("\(number) \(turn)"))
                        }
                        await socket.close()
                    }
                }
                try await group.waitForAll()
            }
        }

        /// Bytes that repeat only after so many that no piece can be taken for another.
        private static func noise(of count: Int) -> Data {
            var generator = SeededGenerator(seed: 16)
            let block = Data((0..<65_521).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
            var bytes = Data(capacity: count)
            while bytes.count < count { bytes.append(block.prefix(count - bytes.count)) }
            return bytes
        }
    }
#endif
