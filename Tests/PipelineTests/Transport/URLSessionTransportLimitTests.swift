import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(2)))  // A net against hangs; no test comes near it.
struct URLSessionTransportLimitTests {
    let server: LoopbackServer
    let transport = URLSessionTransport()

    init() throws { server = try LoopbackServer() }

    func failure(of request: NetworkRequest) async -> NetworkError? {
        await #expect(throws: NetworkError.self) { _ = try await transport.send(request).body.collect() }
    }

    @Test func `ends a request that nobody answers with its idle limit`() async throws {
        server.handle(nil, "/") { _ in .never }
        var request = NetworkRequest(url: server.url("/"))
        request.timeLimits.idle = .milliseconds(100)

        #expect(await failure(of: request)?.code == .timedOutIdle)
        #expect(await server.nextClosedConnection().wasClosedByClient)
    }

    @Test func `ends a body that stops with its idle limit`() async throws {
        server.handle("GET", "/") { _ in
            [.head(200, headers: ["Content-Length": "6"]), .bytes("abc"), .wait(LoopbackGate())]
        }
        var request = NetworkRequest(url: server.url("/"))
        request.timeLimits.idle = .milliseconds(100)

        #expect(await failure(of: request)?.code == .timedOutIdle)
    }

    @Test(arguments: [Duration?.none, .seconds(30)])
    func `ends a request whose connection is not made with its connect limit`(idle: Duration?) async throws {
        let deaf = try LoopbackServer(accepts: false)
        var request = NetworkRequest(method: .post, url: deaf.url("/"), body: .text("x"))
        request.timeLimits = TimeLimits(connect: .milliseconds(100), idle: idle)

        #expect(await failure(of: request)?.code == .timedOutConnecting)
    }

    @Test func `lets an answer take longer than a connection`() async throws {
        server.handle(nil, "/") { _ in .text("late").after(.delay(.milliseconds(1500))) }

        for body in [RequestBody.none, .text("x")] {
            var request = NetworkRequest(method: .post, url: server.url("/"), body: body)
            request.timeLimits = TimeLimits(connect: .seconds(1), idle: .seconds(20))
            #expect(try await transport.send(request).body.collect() == Data("late".utf8))
        }
    }

    @Test func `cuts off a body that is larger than allowed`() async throws {
        server.handle("GET", "/") { _ in
            [
                .head(200, headers: ["Content-Length": "1000000000"]),
                .repeating(Data(repeating: 1, count: 1 << 16), count: 64), .wait(LoopbackGate()),
            ]
        }
        var request = NetworkRequest(url: server.url("/"))
        request.maximumResponseSize = 1 << 20

        #expect(await failure(of: request)?.code == .responseTooLarge)
        #expect(await server.nextClosedConnection().wasClosedByClient)
    }

    @Test func `lets a body through that is as large as allowed`() async throws {
        server.handle("GET", "/") { _ in .text("12345") }
        var request = NetworkRequest(url: server.url("/"))
        request.maximumResponseSize = 5

        #expect(try await transport.send(request).body.collect() == Data("12345".utf8))
    }

    @Test func `refuses a task that was cancelled before`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(NetworkRequest(url: server.url("/")))
        }

        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(server.connections.isEmpty)
    }

    @Test func `lets go of the connection when a request is cancelled`() async throws {
        server.handle("GET", "/") { _ in .never }
        let task = Task { try await transport.send(NetworkRequest(url: server.url("/"))) }
        _ = await server.nextRequest()
        task.cancel()

        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        _ = await server.nextClosedConnection()
    }

    @Test func `lets go of the connection when a body is not read`() async throws {
        server.handle("GET", "/") { _ in
            [.head(200, headers: ["Content-Length": "6"]), .bytes("abc"), .wait(LoopbackGate())]
        }

        _ = try await transport.send(NetworkRequest(url: server.url("/")))

        _ = await server.nextClosedConnection()
    }

    @Test func `ends each of many requests that are cancelled as the answer lands`() async throws {
        server.handle(nil, "/") { _ in .text("tiny").after(.delay(.milliseconds(5))) }

        for round in 0..<200 {
            let ends = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let task = Task {
                            let request = NetworkRequest(
                                method: number % 4 == 0 ? .post : .get,
                                url: server.url("/"),
                                body: number % 4 == 0 ? .text("x") : .none
                            )
                            return try await transport.send(request).body.collect()
                        }
                        try? await Task.sleep(for: .microseconds(4000 + 200 * ((round * 7 + number) % 16)))
                        task.cancel()
                        switch await task.result {
                        case .success(let body): return body == Data("tiny".utf8)
                        case .failure(let error): return error.networkError?.code == .cancelled
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(ends == 16)
        }
    }

    @Test func `ends what runs when it is shut down, and sends nothing after`() async throws {
        server.handle("GET", "/never") { _ in .never }
        server.handle("GET", "/half") { _ in
            [.head(200, headers: ["Content-Length": "6"]), .bytes("abc"), .wait(LoopbackGate())]
        }
        let half = try await transport.send(NetworkRequest(url: server.url("/half")))
        _ = await server.nextRequest()
        let never = Task { try await transport.send(NetworkRequest(url: server.url("/never"))) }
        _ = await server.nextRequest()

        await transport.shutdown()
        await transport.shutdown()

        let errors = [
            await #expect(throws: NetworkError.self) { try await never.value },
            await #expect(throws: NetworkError.self) { _ = try await half.body.collect() },
            await failure(of: NetworkRequest(url: server.url("/"))),
        ]
        #expect(errors.map(\.?.code) == [.transportUnavailable, .transportUnavailable, .transportUnavailable])
        #expect(errors[2]?.reach == .no)
    }

    @Test func `lets a body end after the transport was released`() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/") { _ in
            [.head(200, headers: ["Content-Length": "6"]), .bytes("abc"), .wait(gate), .bytes("def")]
        }

        let response = try await URLSessionTransport().send(NetworkRequest(url: server.url("/")))
        gate.open()

        #expect(try await response.body.collect() == Data("abcdef".utf8))
        _ = await server.nextClosedConnection()
    }

    @Test func `never sends a POST twice when a reused connection dies`() async throws {
        server.handle("GET", "/") { _ in .text("ok") }
        server.handle("POST", "/") { _ in [.close] }
        _ = try await transport.send(NetworkRequest(url: server.url("/"))).body.collect()

        for body in [RequestBody.none, .text("order")] {
            let error = await failure(of: NetworkRequest(method: .post, url: server.url("/"), body: body))
            #expect(error?.code == .connectionLost)
        }

        #expect(server.requests.map(\.method) == ["GET", "POST", "POST"])
    }
}
