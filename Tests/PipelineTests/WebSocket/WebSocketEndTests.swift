#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// How a WebSocket ends, over `CurlTransport` and real sockets.
    @Suite(.timeLimit(.minutes(3)))
    struct WebSocketEndTests {
        let stage: WebSocketStage

        init() throws { stage = try WebSocketStage() }

        /// Reads to the end.
        private func end(_ socket: WebSocket) async -> (messages: [WebSocketMessage], error: NetworkError?) {
            var messages: [WebSocketMessage] = []
            do {
                for try await message in socket.messages { messages.append(message) }
                return (messages, nil)
            } catch {
                return (messages, error.networkError)
            }
        }

        @Test(arguments: [
            (1000, true), (1001, true), (1003, false), (1008, false), (1011, false), (1013, false), (3000, false),
            (4999, false),
        ])
        func `tells the code and the reason of the server`(code: UInt16, isFine: Bool) async throws {
            stage.server.handleWebSocket("/close") { socket in
                try socket.send(.text("last"))
                try socket.close(WebSocketCloseCode(code), reason: "wörd")
            }
            let socket = stage.socket("close")
            let (messages, error) = await end(socket)
            #expect(messages == [.text("last")])
            #expect(error?.code == (isFine ? nil : .webSocketClosed))
            #expect(socket.closeCode == WebSocketCloseCode(code))
            #expect(socket.closeReason == "wörd")
            #expect(await stage.server.nextClosedConnection().ending == .closedByServer)
        }

        @Test func `takes a close without a code for one that is fine`() async throws {
            stage.server.handleWebSocket("/close") { try $0.close(.noStatusReceived) }
            let socket = stage.socket("close")
            #expect(await end(socket).error == nil)
            #expect(socket.closeCode == .noStatusReceived)
        }

        static let abrupt: [(name: String, bytes: String, step: LoopbackStep)] = [
            ("end", "", .close), ("reset", "", .reset), ("end within a frame", "8205 0102", .close),
            ("reset within a frame", "8205 0102", .reset), ("end within a message", "0201 01", .close),
        ]

        @Test(arguments: abrupt.indices)
        func `tells a connection that ends without a close`(index: Int) async throws {
            let (name, bytes, step) = Self.abrupt[index]
            stage.server.handle("GET", "/cut") { request in
                var reply = LoopbackReply.webSocket(for: request) { socket in
                    _ = try socket.receive()
                    try socket.send(.text("first"))
                    try socket.send(bytes: Data(hex: bytes))
                    socket.cut()
                }
                reply.steps[reply.steps.count - 1] = step
                return reply
            }
            let socket = stage.socket("cut")
            try await socket.connect()
            try await socket.send("go")
            let (messages, error) = await end(socket)
            // A reset can overtake what was sent before it.
            #expect(messages == [.text("first")] || index == 1 || index == 3, "\(name)")
            #expect(error?.code == .connectionLost, "\(name)")
            #expect(socket.closeCode == .abnormalClosure)
        }

        static let faults: [(name: String, bytes: String, code: WebSocketCloseCode, error: NetworkError.Code)] = [
            ("masked", "8180 01020304", .protocolError, .protocolViolation),
            ("reserved bit", "c100", .protocolError, .protocolViolation),
            ("opcode", "8300", .protocolError, .protocolViolation),
            ("long ping", "897e0080", .protocolError, .protocolViolation),
            ("fragmented ping", "0900", .protocolError, .protocolViolation),
            ("continuation", "8000", .protocolError, .protocolViolation),
            ("length", "817e0001 41", .protocolError, .protocolViolation),
            ("text", "8101 ff", .invalidPayload, .protocolViolation),
            ("close code", "880203ed", .protocolError, .protocolViolation),
            ("too large", "827f 0000000001000001", .messageTooBig, .webSocketMessageTooLarge),
        ]

        @Test(arguments: faults.indices)
        func `closes with the right code when the server breaks a rule`(index: Int) async throws {
            let (name, bytes, code, expected) = Self.faults[index]
            let seen = OneShot<WebSocketClose?>()
            stage.server.handleWebSocket("/fault") { socket in
                try socket.send(bytes: Data(hex: bytes))
                let message = try socket.receive()
                #expect(message == nil)
                seen.resolve(socket.close)
            }
            let socket = stage.socket("fault")
            let (messages, error) = await end(socket)
            #expect(messages.isEmpty, "\(name)")
            #expect(error?.code == expected, "\(name)")
            #expect(socket.closeCode == code, "\(name)")
            #expect(await seen.value()?.code == code, "\(name)")
        }

        @Test func `cuts the connection off when the server does not answer a close`() async throws {
            let clock = ManualClock(keepsTimeLimits: true)
            stage.standDeaf(at: "deaf")
            let socket = stage.network(clock).webSocket(stage.url("deaf"))
            try await socket.connect()
            async let closing: Void = socket.close()
            while await clock.nextTimeLimit() != .seconds(5) {}
            clock.advance(by: .seconds(5))
            await closing
            #expect(socket.closeCode == .abnormalClosure)
            #expect(await end(socket).error == nil)
            #expect(await stage.server.nextClosedConnection().wasClosedByClient)
        }

        @Test func `gives a connection up that answers no ping`() async throws {
            let clock = ManualClock(keepsTimeLimits: true)
            let gate = LoopbackGate()
            stage.server.handle("GET", "/dead") { request in
                let reply = LoopbackReply.webSocket(for: request) { _ in }
                return LoopbackReply([reply.steps[0], .wait(gate)])
            }
            let network = Network(transport: stage.transport, configuration: NetworkConfiguration(time: clock))
            let socket = network.webSocket(stage.url("dead"))
            try await socket.connect()
            let pause = await clock.nextPauseWithPurpose()
            #expect(pause.duration == .seconds(30))
            #expect(pause.purpose == .webSocketPing)
            clock.advance(by: .seconds(30))
            while await clock.nextTimeLimit() != .seconds(20) {}
            clock.advance(by: .seconds(20))
            let (_, error) = await end(socket)
            #expect(error?.code == .timedOutIdle)
            #expect(socket.closeCode == .abnormalClosure)
            #expect(await stage.server.nextClosedConnection().wasClosedByClient)
        }

        @Test func `sends pings for as long as they are answered`() async throws {
            let clock = ManualClock()
            let pings = Locked(0)
            stage.server.handleWebSocket("/pings") { socket in
                while try socket.receive() != nil {}
                pings.withLock { $0 = socket.pings.count }
            }
            let socket = stage.network(clock).webSocket(stage.url("pings"))
            try await socket.connect()
            for _ in 0..<3 {
                #expect(await clock.nextPause() == .seconds(30))
                clock.advance(by: .seconds(30))
            }
            #expect(await clock.nextPause() == .seconds(30))
            await socket.close()
            _ = await stage.server.nextClosedConnection()
            #expect(pings.withLock { $0 } == 3)
        }

        @Test func `closes when nobody holds it any more`() async throws {
            let closed = OneShot<WebSocketClose?>()
            stage.server.handleWebSocket("/held") { socket in
                while try socket.receive() != nil {}
                closed.resolve(socket.close)
            }
            let leaks = LeakCheck()
            do {
                let action = HoldingAction(leaks.token("action"))
                let socket = stage.network(ManualClock(), [action]).webSocket(stage.url("held"))
                try await socket.connect()
                try await socket.send("hello")
            }
            #expect(await closed.value()?.code == .goingAway)
            _ = await stage.server.nextClosedConnection()
            await leaks.untilAllReleased()
        }

        @Test func `is under way until it is closed, and cancelled with the rest`() async throws {
            let network = stage.network()
            let socket = network.webSocket(stage.url("echo"))
            try await socket.connect()
            #expect(network.inFlight.map(\.phase) == [.streaming])
            network.cancelAll()
            let (_, error) = await end(socket)
            #expect(error?.isCancellation == true)
            #expect(network.inFlight.isEmpty)
            _ = await stage.server.nextClosedConnection()
        }

        @Test func `ends with its transport`() async throws {
            let transport = CurlTransport()
            let socket = Network(transport: transport).webSocket(stage.url("echo"))
            try await socket.connect()
            await transport.shutdown()
            #expect(await end(socket).error?.code == .transportUnavailable)
        }

        @Test func `outlives everybody else who held its network and its transport`() async throws {
            let socket = Network(transport: CurlTransport()).webSocket(stage.url("echo"))
            try await socket.connect()
            try await socket.send("still here")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("still here"))
            await socket.close()
        }

        @Test func `leaves room in line for others while it is open`() async throws {
            var configuration = CurlTransport.Configuration()
            configuration.maximumRequestsPerHost = 1
            stage.server.handle("GET", "/plain") { _ in .text("plain") }
            let network = Network(baseURL: stage.server.url, transport: CurlTransport(configuration: configuration))
            let sockets = (0..<3).map { _ in network.webSocket(stage.url("echo")) }
            for socket in sockets { try await socket.connect() }
            let response = try await network.send(NetworkRequest(url: stage.server.url.joining("plain")))
            #expect(response.status == .ok)
            for socket in sockets { await socket.close() }
        }

        @Test func `leaves the socket open when only a reader is cancelled`() async throws {
            let socket = stage.socket("echo")
            try await socket.connect()
            let reading = Task {
                var messages = socket.messages.makeAsyncIterator()
                return try await messages.next()
            }
            reading.cancel()
            let error = await #expect(throws: NetworkError.self) { try await reading.value }
            #expect(error?.isCancellation == true)
            try await socket.send("still open")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("still open"))
            await socket.close()
        }

        @Test func `calls back on the queue that was named, in order`() async throws {
            let queue = DispatchQueue(label: "callbacks")
            let socket = stage.socket("echo")
            let opened = OneShot<Bool>()
            socket.connect(on: queue) { result in
                dispatchPrecondition(condition: .onQueue(queue))
                if case .success = result { opened.resolve(true) } else { opened.resolve(false) }
            }
            #expect(await opened.value())
            let received = Locked<[WebSocketMessage]>([])
            let ended = OneShot<WebSocketClose?>()
            let all = OneShot<Void>()
            socket.listen(on: queue) { message in
                dispatchPrecondition(condition: .onQueue(queue))
                let count = received.withLock { received in
                    received.append(message)
                    return received.count
                }
                if count == 100 { all.resolve(()) }
            } onEnd: { result in
                ended.resolve(try? result.get())
            }
            let sent = Locked(0)
            for number in 0..<100 {
                socket.send(.text("\(number)"), on: queue) { result in
                    if case .success = result { sent.withLock { $0 += 1 } }
                }
            }
            await all.value()
            #expect(received.withLock { $0 } == (0..<100).map { .text("\($0)") })
            let pinged = OneShot<Bool>()
            socket.ping(on: queue) { result in pinged.resolve((try? result.get()) != nil) }
            #expect(await pinged.value())
            let closed = OneShot<WebSocketClose>()
            socket.close(on: queue) { closed.resolve($0) }
            #expect(await closed.value() == WebSocketClose(.normalClosure))
            #expect(await ended.value() == WebSocketClose(.normalClosure))
        }

        @Test @MainActor func `calls back on the main actor`() async throws {
            let socket = stage.socket("echo")
            let opened = OneShot<Void>()
            socket.connect { result in
                MainActor.assertIsolated()
                if case .success = result { opened.resolve(()) }
            }
            await opened.value()
            let message = OneShot<WebSocketMessage>()
            let ended = OneShot<Bool>()
            socket.listen {
                MainActor.assertIsolated()
                message.resolve($0)
            } onEnd: { result in
                MainActor.assertIsolated()
                ended.resolve((try? result.get()) != nil)
            }
            let sent = OneShot<Bool>()
            socket.send(.text("main")) { result in
                MainActor.assertIsolated()
                sent.resolve((try? result.get()) != nil)
            }
            #expect(await sent.value())
            #expect(await message.value() == .text("main"))
            let closed = OneShot<Void>()
            socket.close { _ in closed.resolve(()) }
            await closed.value()
            #expect(await ended.value())
        }
    }
#endif
