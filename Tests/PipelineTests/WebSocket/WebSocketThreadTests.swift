#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    /// What is left of a transport whose WebSocket was open when both were let go of.
    @Suite(.timeLimit(.minutes(3)))
    struct WebSocketThreadTests {
        @Test func `leaves no thread behind`() async {
            await ExitTestTurn.take {
                await #expect(processExitsWith: .success) {
                    let server = try LoopbackServer()
                    server.handleWebSocket("/echo") { while try $0.receive() != nil {} }
                    let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/echo"))
                    for _ in 0..<10 {
                        do {
                            let socket = Network(transport: CurlTransport()).webSocket(url)
                            try await socket.connect()
                            try #require(EventLoops.count == 1)
                        }
                        _ = await server.nextClosedConnection()
                        // The loop ends after it has closed the connection, and nobody waits for it.
                        var turns = 0
                        while EventLoops.count > 0, turns < 100_000 {
                            turns += 1
                            await Task.yield()
                        }
                        try #require(EventLoops.count == 0)
                    }
                }
            }
        }
    }

    /// The event loops of this process, by the names of their threads.
    private enum EventLoops {
        static var count: Int {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return threads.count { thread in
                let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
                return name?.hasPrefix("pipeline.curl") == true
            }
        }
    }
#endif
