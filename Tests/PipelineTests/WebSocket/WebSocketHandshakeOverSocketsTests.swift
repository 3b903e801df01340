#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    /// The handshake as a send with all its actions, over `CurlTransport` and real sockets.
    @Suite(.timeLimit(.minutes(3)))
    struct WebSocketHandshakeOverSocketsTests {
        let stage: WebSocketStage

        init() throws { stage = try WebSocketStage() }

        private func failure(_ socket: WebSocket) async -> NetworkError? {
            do throws(NetworkError) {
                try await socket.connect()
                return nil
            } catch {
                return error
            }
        }

        @Test func `asks as RFC 6455 says`() async throws {
            let request = NetworkRequest(url: stage.url("echo?room=a%20b"), headers: ["Origin": "https://app.test"])
            let socket = stage.network().webSocket(request)
            try await socket.connect()
            let seen = try #require(stage.server.requests.first)
            #expect(seen.method == "GET")
            #expect(seen.target == "/echo?room=a%20b")
            #expect(seen.values(of: "Host") == ["127.0.0.1:\(stage.server.port)"])
            #expect(seen.values(of: "Upgrade") == ["websocket"])
            #expect(seen.values(of: "Connection") == ["Upgrade"])
            #expect(seen.values(of: "Sec-WebSocket-Version") == ["13"])
            #expect(seen.values(of: "Origin") == ["https://app.test"])
            #expect(seen.values(of: "User-Agent") == ["Pipeline"])
            #expect(seen.first(of: "Sec-WebSocket-Key").flatMap { Data(base64Encoded: $0) }?.count == 16)
            #expect(seen.first(of: "Sec-WebSocket-Protocol") == nil)
            #expect(seen.first(of: "Sec-WebSocket-Extensions") == nil)
            #expect(socket.response?.status == .switchingProtocols)
            await socket.close()
        }

        @Test(
            arguments: [
                (["chat", "mqtt"], ["mqtt"], "mqtt"), (["chat", "mqtt"], ["mqtt", "chat"], "mqtt"),
                (["chat"], ["xmpp"], nil),
                ([], ["chat"], nil),
            ] as [([String], [String], String?)]
        )
        func `settles on a subprotocol`(offered: [String], spoken: [String], chosen: String?) async throws {
            stage.server.handleWebSocket("/chat", subprotocols: spoken) { while try $0.receive() != nil {} }
            var configuration = WebSocketConfiguration()
            configuration.subprotocols = offered
            let socket = stage.socket("chat", configuration)
            let states = socket.states
            try await socket.connect()
            #expect(socket.subprotocol == chosen)
            await socket.close()
            var names: [String] = []
            for await state in states { names.append(state.name) }
            #expect(names.contains(chosen.map { "open \($0)" } ?? "open"))
        }

        /// Adds a field, another each time, when the server has answered 401.
        private struct Credential: RequestWillBeginAction, ResponseCompletedAction {
            let zone = ActionZone.hop

            func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
                var request = request
                request.headers[.authorization] = "pass \(request.pass)"
                return .proceed(request)
            }

            func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
                let response = try outcome.get()
                return response.status == 401 ? .retry(after: .zero, with: nil) : .deliver(response)
            }
        }

        @Test func `lets actions answer a refusal, and has another key for each attempt`() async throws {
            stage.server.handle("GET", "/private") { request in
                guard request.first(of: "Authorization") == "pass 3" else { return .text("who?", status: 401) }
                return .webSocket(for: request) { while try $0.receive() != nil {} }
            }
            let socket = stage.network(ManualClock(), [Credential()]).webSocket(stage.url("private"))
            try await socket.connect()
            let keys = stage.server.requests.compactMap { $0.first(of: "Sec-WebSocket-Key") }
            #expect(keys.count == 3)
            #expect(Set(keys).count == 3)
            await socket.close()
        }

        @Test(arguments: ["http", "ws"])
        func `follows a redirect, unless it is not to`(scheme: String) async throws {
            let port = stage.server.port
            stage.server.handle("GET", "/moved") { _ in .redirect(to: "\(scheme)://127.0.0.1:\(port)/echo") }
            let socket = stage.socket("moved")
            try await socket.connect()
            try await socket.send("hello")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("hello"))
            await socket.close()

            var request = NetworkRequest(url: stage.url("moved"))
            request.redirectPolicy = .handBack
            let error = await failure(stage.network().webSocket(request))
            #expect(error?.code == .webSocketHandshakeFailed)
            #expect(error?.statusCode == 302)
        }

        static let refusals: [(name: String, reply: LoopbackReply, status: Int, payload: String)] = [
            ("length", .text("not today", status: 403), 403, "not today"),
            ("chunks", .chunked(["not ", "today", ""], status: 503, trailers: ["X": "y"]), 503, "not today"),
            ("end", .raw("HTTP/1.1 400 Bad\r\n\r\nnot today").then(.close), 400, "not today"),
            ("nothing", .empty(204), 204, ""),
            ("200", .text("a page"), 200, "a page"),
            ("interim first", LoopbackReply.text("not today", status: 500).after(.interim(103)), 500, "not today"),
            (
                "large", .repeating(Data(repeating: 65, count: 1000), count: 3000, status: 418), 418,
                String(repeating: "A", count: 3_000_000)
            ),
        ]

        @Test(arguments: refusals.indices)
        func `tells the status and the payload of a refusal`(index: Int) async throws {
            let (name, reply, status, payload) = Self.refusals[index]
            stage.server.handle("GET", "/no") { _ in reply }
            let error = await failure(stage.socket("no"))
            #expect(error?.code == .unacceptableStatus, "\(name)")
            #expect(error?.statusCode == status, "\(name)")
            #expect(error?.payloadData == Data(payload.utf8), "\(name)")
            #expect(await stage.server.nextClosedConnection().id == 1)
        }

        static let broken: [(name: String, reply: LoopbackReply, code: NetworkError.Code)] = [
            ("short", .raw("HTTP/1.1 403 No\r\nContent-Length: 9\r\n\r\nnot").then(.close), .truncated),
            ("no head", LoopbackReply([.close]), .connectionLost),
            ("half a head", .raw("HTTP/1.1 101 Sw\r\nUpgrade: webso").then(.close), .connectionLost),
            ("nonsense", .raw("220 mail.test ESMTP\r\n"), .protocolViolation),
            ("bad chunk", .raw("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"), .protocolViolation),
            (
                "two lengths", .raw("HTTP/1.1 403 No\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
                .protocolViolation
            ),
            ("reset", LoopbackReply([.reset]), .connectionLost),
        ]

        @Test(arguments: broken.indices)
        func `tells an answer that is none`(index: Int) async throws {
            let (name, reply, code) = Self.broken[index]
            stage.server.handle("GET", "/broken") { _ in reply }
            #expect(await failure(stage.socket("broken"))?.code == code, "\(name)")
        }

        @Test(arguments: [
            ("Upgrade", "h2c"), ("Connection", "close"), ("Sec-WebSocket-Accept", "c2FtcGxl"),
            ("Sec-WebSocket-Extensions", "permessage-deflate"), ("Sec-WebSocket-Protocol", "unasked"),
        ])
        func `refuses a 101 that is no WebSocket, and closes the connection`(name: String, value: String) async throws {
            stage.server.handle("GET", "/odd") { request in
                let key = request.first(of: "Sec-WebSocket-Key") ?? ""
                var fields = [
                    "Upgrade": "websocket", "Connection": "Upgrade",
                    "Sec-WebSocket-Accept": WebSocketHandshake.accept(for: key),
                ]
                fields[name] = value
                let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
                return LoopbackReply.raw("HTTP/1.1 101 Switching Protocols\r\n\(lines)\r\n").then(.wait(LoopbackGate()))
            }
            let error = await failure(stage.socket("odd"))
            #expect(error?.code == .webSocketHandshakeFailed)
            #expect(error?.statusCode == 101)
            #expect(await stage.server.nextClosedConnection().wasClosedByClient)
        }

        @Test func `reads frames that come together with the head`() async throws {
            stage.server.handle("GET", "/quick") { request in
                let accept = WebSocketHandshake.accept(for: request.first(of: "Sec-WebSocket-Key") ?? "")
                let head = "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                let frames = WebSocketFrame(.text, Data("now".utf8)).encoded(mask: nil) + Data(hex: "880203e8")
                return LoopbackReply.raw(Data((head + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8) + frames).then(
                    .close
                )
            }
            let socket = stage.socket("quick")
            var messages: [WebSocketMessage] = []
            for try await message in socket.messages { messages.append(message) }
            #expect(messages == [.text("now")])
            #expect(socket.closeCode == .normalClosure)
        }

        static let requests: [(name: String, change: @Sendable (inout NetworkRequest) -> Void)] = [
            ("POST", { $0.method = .post }), ("body", { $0.body = .bytes(Data([1])) }),
            ("key", { $0.headers["Sec-WebSocket-Key"] = "x" }),
            ("extensions", { $0.headers["Sec-WebSocket-Extensions"] = "x" }),
            ("protocol", { $0.headers["Sec-WebSocket-Protocol"] = "x" }),
            ("connection", { $0.headers[.connection] = "x" }),
            ("upgrade", { $0.headers[.upgrade] = "websocket" }),
        ]

        @Test(arguments: requests.indices)
        func `refuses a request that is none for a WebSocket`(index: Int) async throws {
            var request = NetworkRequest(url: stage.url("echo"))
            Self.requests[index].change(&request)
            let error = await failure(stage.network().webSocket(request))
            #expect(error?.code == .invalidRequest, "\(Self.requests[index].name)")
            #expect(error?.reach == .no)
            #expect(stage.server.requests.isEmpty)
        }

        @Test(arguments: ["two words", "", "a,b"])
        func `refuses a subprotocol that is no token`(name: String) async throws {
            var configuration = WebSocketConfiguration()
            configuration.subprotocols = [name]
            #expect(await failure(stage.socket("echo", configuration))?.code == .invalidRequest)
        }

        @Test func `refuses a URL with a fragment, and schemes of other protocols`() async throws {
            #expect(await failure(stage.socket("echo#part"))?.code == .invalidRequest)
            let other = try #require(URL(string: "ftp://127.0.0.1/echo"))
            #expect(await failure(stage.network().webSocket(other))?.code == .invalidRequest)
        }

        @Test func `needs a transport that can leave HTTP`() async throws {
            let transports: [any Transport] = [URLSessionTransport(), ConversationTransport()]
            for transport in transports {
                let error = await failure(Network(transport: transport).webSocket(stage.url("echo")))
                #expect(error?.code == .webSocketUnsupported)
                #expect(error?.reach == .no)
            }
            #expect(stage.server.requests.isEmpty)
        }

        @Test func `tells that nobody listens`() async throws {
            let url = try #require(URL(string: "ws://127.0.0.1:\(LoopbackServer.unusedPort())/echo"))
            let error = await failure(stage.network().webSocket(url))
            #expect(error?.code == .connectionRefused)
            #expect(error?.reach == .no)
        }

        @Test func `keeps the total limit for the handshake alone`() async throws {
            let clock = ManualClock(keepsTimeLimits: true)
            let gate = LoopbackGate()
            stage.server.handle("GET", "/late") { request in
                LoopbackReply.webSocket(for: request) { while try $0.receive() != nil {} }.after(.wait(gate))
            }
            let network = stage.network(clock)
            var request = NetworkRequest(url: stage.url("late"))
            request.timeLimits.total = .seconds(7)
            let late = network.webSocket(request)
            async let failure = failure(late)
            await gate.arrival()
            clock.advance(by: .seconds(7))
            #expect(await failure?.code == .timedOut)

            gate.open()
            let socket = network.webSocket(request)
            try await socket.connect()
            clock.advance(by: .seconds(8))
            #expect(socket.state.isOpen)
            #expect(try await socket.ping() == .zero)
            await socket.close()
        }

        @Test func `is cancelled with the task that connects`() async throws {
            let gate = LoopbackGate()
            stage.server.handle("GET", "/never") { _ in LoopbackReply.never.after(.wait(gate)) }
            let socket = stage.socket("never")
            let connecting = Task { try await socket.connect() }
            await gate.arrival()
            connecting.cancel()
            let error = await #expect(throws: NetworkError.self) { try await connecting.value }
            #expect(error?.isCancellation == true)
            #expect(await stage.server.nextClosedConnection().wasClosedByClient)
            await socket.close()
            #expect(socket.state.name == "closed 1006")
        }

        @Test func `goes through a proxy that only relays`() async throws {
            let proxy = try LoopbackServer()
            let port = stage.server.port
            proxy.handle { request in
                guard request.method == "CONNECT" else { return .empty(405) }
                return [.head(200), .converse { try Relay.run($0, to: port) }, .close]
            }
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .server(proxy.url)
            let socket = Network(transport: CurlTransport(configuration: configuration)).webSocket(stage.url("echo"))
            try await socket.connect()
            try await socket.send("through")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("through"))
            await socket.close()
            #expect(proxy.requests.map(\.target) == ["127.0.0.1:\(port)"])
            #expect(proxy.requests.allSatisfy { $0.first(of: "Sec-WebSocket-Key") == nil })
        }

        @Test func `tells that a proxy does not help`() async throws {
            let proxy = try LoopbackServer()
            proxy.handle { _ in .empty(403) }
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .server(proxy.url)
            let network = Network(transport: CurlTransport(configuration: configuration))
            let error = await failure(network.webSocket(stage.url("echo")))
            #expect(error?.code == .proxyFailed)
            #expect(error?.reach == .no)
            #expect(stage.server.requests.isEmpty)
        }
    }

    /// Carries bytes between a client and a server, one after the other: a request, its answer, and so on.
    private enum Relay {
        static func run(_ client: LoopbackStream, to port: Int) throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { return }
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let bytes = try client.read(upTo: buffer.count)
                guard !bytes.isEmpty else { return }
                _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return }
                try client.write(Data(buffer[..<count]))
            }
        }
    }
#endif
