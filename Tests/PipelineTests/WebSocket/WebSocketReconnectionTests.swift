#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// A WebSocket that comes back. The test is the time, and the server stands at a gate.
    @Suite(.timeLimit(.minutes(3)))
    struct WebSocketReconnectionTests {
        let stage: WebSocketStage
        let clock = ManualClock()

        init() throws { stage = try WebSocketStage() }

        private var configuration: WebSocketConfiguration {
            var configuration = WebSocketConfiguration()
            var policy = ReconnectionPolicy()
            policy.jitter = 0
            policy.maximumFailures = 3
            configuration.reconnection = policy
            configuration.pingInterval = nil
            return configuration
        }

        @Test func `comes back with messages, and says what happens meanwhile`() async throws {
            let turn = Locked(0)
            stage.server.handle("GET", "/flaky") { request in
                switch turn.withLock({ turn in
                    turn += 1
                    return turn
                }) {
                case 1:
                    .webSocket(for: request) { socket in
                        try socket.send(.text("one"))
                        try socket.close(.serviceRestart, reason: "update")
                    }
                case 2: .empty(503)
                case 3:
                    .webSocket(for: request) { socket in
                        try socket.send(.text("two"))
                        socket.cut()
                    }
                default:
                    .webSocket(for: request) { try $0.send(.text("three")) }
                }
            }
            let socket = stage.network(clock).webSocket(stage.url("flaky"), configuration: configuration)
            let states = socket.states
            let reading = Task {
                var texts: [WebSocketMessage] = []
                for try await message in socket.messages { texts.append(message) }
                return texts
            }
            for _ in 0..<3 {
                let pause = await clock.nextPauseWithPurpose()
                #expect(pause.purpose == .reconnection)
                let error = await #expect(throws: NetworkError.self) { try await socket.send("now") }
                #expect(error?.code == .webSocketNotOpen)
                clock.advance(by: pause.duration)
            }
            #expect(try await reading.value == [.text("one"), .text("two"), .text("three")])
            var names: [String] = []
            for await state in states { names.append(state.name) }
            #expect(
                names == [
                    "idle", "connecting", "open", "waiting 1012 3.0 seconds", "connecting", "waiting 1006 3.0 seconds",
                    "connecting", "open", "waiting 1006 3.0 seconds", "connecting", "open", "closed 1000",
                ]
            )
        }

        @Test func `gives up after so many failures in a row, and tells the last`() async throws {
            stage.server.handle("GET", "/down") { _ in .empty(503) }
            let socket = stage.network(clock).webSocket(stage.url("down"), configuration: configuration)
            let connecting = Task { try await socket.connect() }
            #expect(await clock.nextPause() == .seconds(3))
            clock.advance(by: .seconds(3))
            #expect(await clock.nextPause() == .seconds(6))
            clock.advance(by: .seconds(6))
            let error = await #expect(throws: NetworkError.self) { try await connecting.value }
            #expect(error?.statusCode == 503)
            #expect(stage.server.requests.count == 3)
        }

        @Test func `takes a connection that is closed at once, without a message, for a failure`() async throws {
            stage.server.handleWebSocket("/restarting") { try $0.close(.serviceRestart) }
            let socket = stage.network(clock).webSocket(stage.url("restarting"), configuration: configuration)
            let reading = Task { for try await _ in socket.messages {} }
            for pause in [3, 6] {
                #expect(await clock.nextPause() == .seconds(pause))
                clock.advance(by: .seconds(pause))
            }
            let error = await #expect(throws: NetworkError.self) { try await reading.value }
            #expect(error?.code == .webSocketClosed)
            #expect(socket.closeCode == .serviceRestart)
            #expect(stage.server.requests.count == 3)
        }

        @Test(arguments: [(59, 6), (60, 3)])
        func `begins anew with the pauses after a connection that was open for long enough`(
            seconds: Int,
            pause: Int
        ) async throws {
            let turn = Locked(0)
            let gate = LoopbackGate()
            stage.server.handle("GET", "/silent") { request in
                let number = turn.withLock { turn in
                    turn += 1
                    return turn
                }
                guard number == 2 else { return .empty(503) }
                var reply = LoopbackReply.webSocket(for: request) { try $0.close(.serviceRestart) }
                reply.steps.insert(.wait(gate), at: 1)
                return reply
            }
            let socket = stage.network(clock).webSocket(stage.url("silent"), configuration: configuration)
            socket.connect(on: .global()) { _ in }
            #expect(await clock.nextPause() == .seconds(3))
            let states = socket.states
            clock.advance(by: .seconds(3))
            for await state in states where state.isOpen { break }
            clock.advance(by: .seconds(seconds))
            gate.open()
            #expect(await clock.nextPause() == .seconds(pause))
            await socket.close()
        }

        @Test(arguments: [nil, "feed", "other"])
        func `is cancelled with the rest while it waits, and with its tag`(tag: String?) async throws {
            stage.server.handle("GET", "/down") { _ in .empty(503) }
            let network = stage.network(clock)
            var request = NetworkRequest(url: stage.url("down"))
            request.tag = "feed"
            let socket = network.webSocket(request, configuration: configuration)
            let reading = Task { for try await _ in socket.messages {} }
            _ = await clock.nextPause()
            if let tag { network.cancel(tag: tag) } else { network.cancelAll() }
            guard tag != "other" else {
                clock.advance(by: .seconds(3))
                #expect(await clock.nextPause() == .seconds(6))
                return await socket.close()
            }
            let error = await #expect(throws: NetworkError.self) { try await reading.value }
            #expect(error?.isCancellation == true)
            #expect(socket.state.name == "closed 1006 cancelled")
            #expect(stage.server.requests.count == 1)
        }

        @Test(arguments: [1000, 1002, 1003, 1007, 1008, 1009, 1010, 3000, 4000])
        func `stays closed after a close that another connection would not mend`(code: UInt16) async throws {
            stage.server.handleWebSocket("/over") { try $0.close(WebSocketCloseCode(code)) }
            let socket = stage.network(clock).webSocket(stage.url("over"), configuration: configuration)
            _ = try? await { for try await _ in socket.messages {} }()
            #expect(socket.closeCode == WebSocketCloseCode(code))
            #expect(stage.server.requests.count == 1)
        }

        @Test(arguments: [1001, 1011, 1012, 1013, 1014])
        func `waits and comes back after others`(code: UInt16) async throws {
            stage.server.handleWebSocket("/again") { try $0.close(WebSocketCloseCode(code)) }
            let socket = stage.network(clock).webSocket(stage.url("again"), configuration: configuration)
            let reading = Task { for try await _ in socket.messages {} }
            #expect(await clock.nextPause() == .seconds(3))
            await socket.close(code: .normalClosure)
            try await reading.value
            #expect(socket.state.name == "closed 1006" || socket.state.name == "closed \(code)")
            #expect(stage.server.requests.count == 1)
        }

        @Test func `does not come back when the server breaks a rule`() async throws {
            stage.server.handleWebSocket("/broken") { try $0.send(bytes: Data(hex: "8300")) }
            let socket = stage.network(clock).webSocket(stage.url("broken"), configuration: configuration)
            let error = await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
            #expect(error?.code == .protocolViolation)
            #expect(stage.server.requests.count == 1)
        }

        @Test func `lets go while it waits`() async throws {
            stage.server.handle("GET", "/down") { _ in .empty(503) }
            let leaks = LeakCheck()
            do {
                let network = stage.network(clock, [HoldingAction(leaks.token("action"))])
                let socket = network.webSocket(stage.url("down"), configuration: configuration)
                socket.connect(on: .global()) { _ in }
                _ = await clock.nextPause()
                #expect(socket.state.name == "waiting 1006 3.0 seconds")
            }
            await leaks.untilAllReleased()
        }
    }
#endif
