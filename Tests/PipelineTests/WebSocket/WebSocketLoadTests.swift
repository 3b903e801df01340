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

        @Test func `keeps a connection whose pong is late because much is sent before the ping`() async throws {
            let clock = ManualClock(keepsTimeLimits: true)
            let gates = (LoopbackGate(), LoopbackGate())
            let session = Locked(WebSocketSession(.server, maximumMessageSize: 64 << 20))
            let isRead = OneShot<Void>()
            /// Reads so many messages, or to the end.
            @Sendable func read(_ limit: Int, from stream: LoopbackStream) throws {
                var count = 0
                while count < limit {
                    let bytes = try stream.read(upTo: 64 * 1024)
                    guard !bytes.isEmpty else { return }
                    var output = Data()
                    session.withLock { session in
                        session.receive(bytes)
                        while let event = session.next(sending: &output) {
                            if case .message = event { count += 1 }
                        }
                    }
                    try stream.write(output)
                    if session.withLock({ $0.hasSentClose }) { return }
                }
            }
            stage.server.handle("GET", "/slow") { request in
                let head = LoopbackReply.webSocket(for: request) { _ in }.steps[0]
                return LoopbackReply([
                    head, .wait(gates.0),
                    .converse { stream in
                        try read(3, from: stream)
                        isRead.resolve(())
                    },
                    .wait(gates.1), .converse { try read(.max, from: $0) }, .close,
                ])
            }
            let network = Network(transport: stage.transport, configuration: NetworkConfiguration(time: clock))
            let socket = network.webSocket(stage.url("slow"))
            try await socket.connect()
            let queue = DispatchQueue(label: "sent")
            for _ in 0..<4 { socket.send(.binary(Data(count: 8 << 20)), on: queue) { _ in } }
            #expect(await clock.nextPause() == .seconds(30))
            clock.advance(by: .seconds(30))
            while await clock.nextTimeLimit() != .seconds(20) {}
            gates.0.open()
            // More than the system holds: so it came out of our own memory while the pong was awaited.
            await isRead.value()
            clock.advance(by: .seconds(20))
            gates.1.open()
            #expect(try await socket.ping() >= .zero)
            await socket.close()
            #expect(socket.closeCode == .normalClosure)
        }

        @Test func `gives a connection up that takes nothing more and answers no ping`() async throws {
            let clock = ManualClock(keepsTimeLimits: true)
            stage.standDeaf(at: "stuck")
            let socket = stage.network(clock).webSocket(stage.url("stuck"))
            try await socket.connect()
            let sent = OneShot<NetworkError?>()
            socket.send(.binary(Data(count: 32 << 20)), on: .global()) { result in
                if case .failure(let error) = result { sent.resolve(error) } else { sent.resolve(nil) }
            }
            #expect(await clock.nextPause() == .seconds(30))
            clock.advance(by: .seconds(30))
            // The system can still take some of it after the first of the limits has begun.
            let time = Task {
                while !Task.isCancelled {
                    if await clock.nextTimeLimit() == .seconds(20) { clock.advance(by: .seconds(20)) }
                }
            }
            let error = await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
            time.cancel()
            #expect(error?.code == .timedOutIdle)
            #expect(await sent.value() != nil)
        }

        @Test func `keeps no time limit of a ping that was answered`() async throws {
            let clock = ManualClock(keepsTimeLimits: true)
            let time = CountingTime(clock)
            stage.server.handleWebSocket("/pings") { socket in while try socket.receive() != nil {} }
            let network = Network(transport: stage.transport, configuration: NetworkConfiguration(time: time))
            var configuration = WebSocketConfiguration()
            configuration.pongLimit = .seconds(1234)
            let socket = network.webSocket(stage.url("pings"), configuration: configuration)
            try await socket.connect()
            for _ in 0..<5 {
                #expect(await clock.nextPause() == .seconds(30))
                clock.advance(by: .seconds(30))
            }
            #expect(await clock.nextPause() == .seconds(30))
            #expect(time.started(.seconds(1234)) == 5)
            #expect(time.running(.seconds(1234)) == 0)
            await socket.close()
        }
    }

    /// A clock that counts the time limits that run.
    private final class CountingTime: TimeSource {
        private let clock: ManualClock
        private let limits = Locked<[(duration: Duration, isLifted: Bool)]>([])

        init(_ clock: ManualClock) { self.clock = clock }

        var now: Duration { clock.now }
        var date: Date { clock.date }

        func started(_ duration: Duration) -> Int { limits.withLock { $0.count { $0.duration == duration } } }

        func running(_ duration: Duration) -> Int {
            limits.withLock { $0.count { $0.duration == duration && !$0.isLifted } }
        }

        func sleep(for duration: Duration, purpose: PausePurpose) async throws {
            try await clock.sleep(for: duration, purpose: purpose)
        }

        func startLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> (any TimeLimitHandle)? {
            guard let handle = clock.startLimit(of: duration, expire: expire) else { return nil }
            let number = limits.withLock { limits in
                limits.append((duration, false))
                return limits.count - 1
            }
            return Handle(handle: handle) { [weak self] in self?.limits.withLock { $0[number].isLifted = true } }
        }

        private struct Handle: TimeLimitHandle {
            let handle: any TimeLimitHandle
            let note: @Sendable () -> Void

            func lift() {
                note()
                handle.lift()
            }
        }
    }
#endif
