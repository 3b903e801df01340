#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    /// What the transport tells on the way, and at the end.
    @Suite(.timeLimit(.minutes(3)))
    struct CurlEventTests {
        let server: LoopbackServer
        let monitor = RecordingMonitor()
        let network: Network

        init() throws {
            server = try LoopbackServer()
            network = Network(
                transport: CurlTransport(),
                configuration: NetworkConfiguration(time: SystemTime.shared, monitors: [monitor])
            )
        }

        private var kinds: [SendEvent.Kind] { monitor.events.map(\.kind) }

        @Test func `tells interim responses with their fields`() async throws {
            server.handle { _ in
                LoopbackReply([.interim(103, headers: ["Link": "</a.css>"])] + LoopbackReply.text("ok").steps)
            }

            _ = try await network.send(NetworkRequest(url: server.url))

            let interim = kinds.compactMap { kind -> String? in
                guard case .interimResponse(let status, let headers) = kind else { return nil }
                return "\(status.code) \(headers[.link] ?? "")"
            }
            #expect(interim == ["103 </a.css>"])
        }

        @Test func `tells that it sent again, which is no attempt of its own`() async throws {
            server.handle { request in
                if request.connectionID == 1, request.index == 1 { [.close] } else { .text("answer") }
            }
            _ = try await network.send(NetworkRequest(url: server.url))

            let reply = try await network.reply(to: NetworkRequest(url: server.url))

            #expect(reply.attempts == 1)
            #expect(server.requests.count == 3)
            let texts = kinds.compactMap { kind -> String? in if case .transport(let text) = kind { text } else { nil }
            }
            #expect(texts == ["sent again over a new connection: the used one died before any answer"])
        }

        @Test(arguments: [RequestBody.none, .text("order")])
        func `sends again what is idempotent, its body from the first byte on`(body: RequestBody) async throws {
            server.handle { request in
                if request.connectionID == 1, request.index == 1 { [.close] } else { .text("answer") }
            }
            _ = try await network.send(NetworkRequest(url: server.url))

            let reply = try await network.reply(to: NetworkRequest(method: .put, url: server.url, body: body))

            #expect(reply.attempts == 1)
            #expect(server.requests.map(\.method) == ["GET", "PUT", "PUT"])
            #expect(server.requests.dropFirst().map(\.body) == Array(repeating: body.data ?? Data(), count: 2))
        }

        @Test func `sends again a stream that can be made again, and no other`() async throws {
            server.handle { request in request.index == 1 ? [.close] : .text("answer") }
            for isReplayable in [true, false] {
                _ = try await network.send(NetworkRequest(url: server.url))
                let body = RequestBody.stream(length: 5, isReplayable: isReplayable) {
                    AsyncStream { continuation in
                        continuation.yield(Data("order".utf8))
                        continuation.finish()
                    }
                }

                let result = await network.result(of: NetworkRequest(method: .put, url: server.url, body: body))

                #expect(result.summary == (isReplayable ? "200" : "connection-lost"))
                // The connection that answered is the next one that dies with its second request.
                if isReplayable { #expect(server.requests.last?.body == Data("order".utf8)) }
            }
        }

        @Test func `tells trailers and metrics of a stream at its end`() async throws {
            server.handle { _ in .chunked(["abc", "de"], trailers: ["X-Sum": "5"]) }

            let response = try await network.send(NetworkRequest(url: server.url, delivery: .stream))
            let body = try await response.body.collect()

            #expect(body == Data("abcde".utf8))
            if let stream = response.body.stream {
                #expect(stream.epilogue?.trailers == ["X-Sum": "5"])
                let ends = kinds.compactMap { kind -> String? in
                    guard case .transferEnded(let trailers, let metrics) = kind else { return nil }
                    return "\(trailers["X-Sum"] ?? "none") \(metrics?.bytesReceived ?? -1)"
                }
                #expect(ends == ["5 5"])
            } else {
                #expect(response.trailers == ["X-Sum": "5"])
            }
        }

        @Test func `gives trailers to a body that is gathered, however it arrives`() async throws {
            let gate = LoopbackGate()
            server.handle { _ in
                [
                    .head(200, headers: ["Transfer-Encoding": "chunked"]), .chunk("abc"), .wait(gate),
                    .lastChunk(trailers: ["X-Sum": "3"]),
                ]
            }
            async let response = network.send(NetworkRequest(url: server.url))
            await gate.arrival()
            gate.open()

            #expect(try await response.trailers == ["X-Sum": "3"])
            #expect(try await response.metrics?.bytesReceived == 3)
        }

        @Test func `measures`() async throws {
            server.handle { _ in .text("hello") }
            var metrics: [AttemptMetrics] = []
            for _ in 0..<2 {
                let request = NetworkRequest(method: .post, url: server.url, body: .text("four"))
                metrics.append(try #require(try await network.send(request).metrics))
            }

            #expect(metrics.map(\.isReusedConnection) == [false, true])
            #expect(metrics.map(\.bytesSent) == [4, 4])
            #expect(metrics.map(\.bytesReceived) == [5, 5])
            #expect(metrics.map(\.remoteAddress) == Array(repeating: "127.0.0.1:\(server.port)", count: 2))
            #expect(metrics.allSatisfy { $0.tlsVersion == nil && $0.tlsCipher == nil && $0.secured == nil })
            let first = metrics[0]
            let times = [first.queued, first.nameLookup, first.connected, first.firstByte, first.total].compactMap {
                $0
            }
            #expect(times.count == 5)
            #expect(times == times.sorted())
            #expect(metrics[1].nameLookup == nil && metrics[1].connected == nil)
        }

        @Test func `tells how far the bodies have got, up to their ends`() async throws {
            let size = 3_000_000
            server.handle("POST", "/") { _ in .status(200, body: Data(count: size)) }

            _ = try await network.send(NetworkRequest(method: .post, url: server.url, body: .bytes(Data(count: size))))

            let progress = kinds.compactMap { kind -> AttemptProgress? in
                if case .progress(let progress) = kind { progress } else { nil }
            }
            let last = try #require(progress.last)
            #expect(
                last == AttemptProgress(bytesSent: size, bytesToSend: size, bytesReceived: size, bytesToReceive: size)
            )
            #expect(progress.map(\.bytesSent) == progress.map(\.bytesSent).sorted())
            #expect(progress.map(\.bytesReceived) == progress.map(\.bytesReceived).sorted())
        }

        @Test func `says how much of a body came`() async throws {
            server.handle { _ in [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .close] }

            let error = await #expect(throws: NetworkError.self) {
                try await network.send(NetworkRequest(url: server.url))
            }

            #expect(error?.code == .truncated)
            #expect(error?.explanation == "the body ended after 3 of 100 bytes")
            let cause = try #require(error?.underlying as? CurlError)
            #expect(cause.code == 18)
            #expect(cause.text.contains("97 bytes"), "libcurl's own words: \(cause)")
        }
    }
#endif
