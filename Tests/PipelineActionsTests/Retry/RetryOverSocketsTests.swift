import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

/// The cases from the field, over real connections.
@Suite(.timeLimit(.minutes(3)))
struct RetryOverSocketsTests {
    private func makeNetwork(
        over kind: TransportKind = .standard,
        time: any TimeSource = SystemTime.shared,
        maxAttempts: Int = 2
    ) -> Network {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        policy.throttlingBackoff = .constant(.zero)
        policy.maxAttempts = maxAttempts
        return Network(actions: [RetryAction(policy)], transport: kind.transport, configuration: .init(time: time))
    }

    /// B11: an order must not be placed twice.
    @Test(arguments: [
        (HTTPMethod.post, false, 1), (.patch, false, 1), (.post, true, 2), (.get, false, 2), (.put, false, 2),
        (.delete, false, 2),
    ])
    func `after a lost connection, only what may be sent twice is`(
        method: HTTPMethod,
        hasKey: Bool,
        hits: Int
    ) async throws {
        let server = try LoopbackServer()
        server.handle { _ in [.close] }
        let body = method == .get || method == .delete ? RequestBody.none : .text("one order")
        var request = NetworkRequest(method: method, url: server.url("/orders"), body: body)
        if hasKey { request.headers[.idempotencyKey] = "k-1" }
        let result = await makeNetwork().result(of: request)

        #expect(result.failure?.code == .connectionLost)
        #expect(server.requests.count == hits)
        #expect(Set(server.requests.map(\.body)).count == 1)
    }

    /// B11, the wary part: a connection that served a request before dies under a POST.
    @Test func `a connection that dies when it is used again does not place an order twice`() async throws {
        let server = try LoopbackServer()
        server.handle("GET", "/") { _ in .text("hello") }
        server.handle("POST", "/") { _ in [.close] }
        let network = makeNetwork()
        _ = try await network.send(NetworkRequest(url: server.url("/")))
        let result = await network.result(of: NetworkRequest(method: .post, url: server.url("/"), body: .text("order")))

        #expect(result.failure?.code == .connectionLost)
        #expect(server.requests.count { $0.method == "POST" } == 1)
    }

    @Test func `a refused connection is tried again even for a POST`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())/"))
        let result = await makeNetwork(maxAttempts: 3).result(
            of: NetworkRequest(method: .post, url: url, body: .text("order"))
        )
        #expect(result.failure?.code == .connectionRefused)
        #expect(result.failure?.attempts == 3)
    }

    /// B07: never a body that is shorter than it was.
    @Test(arguments: [true, false], TransportKind.allCases)
    func `a streamed body is sent whole, or not again`(isReplayable: Bool, kind: TransportKind) async throws {
        let server = try LoopbackServer()
        server.handle("PUT", "/", inTurn: [[.close], .text("stored")])
        let chunks = (0..<8).map { Data(repeating: UInt8($0), count: 10_000) }
        let body = RequestBody.stream(isReplayable: isReplayable) {
            AsyncStream<Data> { continuation in
                for chunk in chunks { continuation.yield(chunk) }
                continuation.finish()
            }
        }
        let result = await makeNetwork(over: kind)
            .result(of: NetworkRequest(method: .put, url: server.url("/"), body: body))

        let whole = chunks.reduce(into: Data()) { $0 += $1 }
        if isReplayable {
            #expect(try result.get().status == 200)
            #expect(server.requests.map(\.body) == [whole, whole])
        } else {
            #expect(result.failure?.code == .connectionLost)
            #expect(result.failure?.refusedRetry == .bodyNotReplayable)
            #expect(server.requests.map(\.body) == [whole])
        }
    }

    struct Field: Sendable, CustomStringConvertible {
        var status = 503
        var lines: String
        /// The pause in seconds; `nil` if the answer is handed up.
        var pause: Int?

        var description: String { "\(status) \(lines)" }
    }

    /// B08: what is on the wire, and what becomes of it. It is 08:49:37 on 6 November 1994.
    @Test(arguments: [
        Field(lines: "Retry-After: 0", pause: 0),
        Field(lines: "Retry-After: 20", pause: 20),
        Field(status: 429, lines: "retry-after:   20  ", pause: 20),
        Field(lines: "Retry-After: 2\r\nRetry-After: 20", pause: 20),
        Field(lines: "Retry-After: Sun, 06 Nov 1994 08:49:57 GMT", pause: 20),
        Field(lines: "Retry-After: Sunday, 06-Nov-94 08:49:57 GMT", pause: 20),
        Field(lines: "Retry-After: Sun Nov  6 08:49:57 1994", pause: 20),
        Field(lines: "Retry-After: Sat, 05 Nov 1994 08:49:37 GMT", pause: 0),
        Field(lines: "Retry-After: Saturday, 05-Nov-94 08:49:37 GMT", pause: 0),
        Field(lines: "Retry-After: Sat Nov  5 08:49:37 1994", pause: 0),
        Field(status: 429, lines: "Retry-After: 1m0s", pause: 0),  // As if it were absent: the policy's pause is zero.
        Field(status: 413, lines: "Retry-After: 20", pause: 20),
        Field(status: 413, lines: "Retry-After: 1m0s", pause: nil),
        Field(status: 429, lines: "Retry-After: 99999999999", pause: nil),
        Field(status: 503, lines: "Retry-After: 99999999999999999999999", pause: nil),
        Field(status: 503, lines: "Retry-After: Mon, 07 Nov 1994 08:49:37 GMT", pause: nil),
        Field(status: 301, lines: "Retry-After: 20", pause: nil),
    ])
    func `a Retry-After never kills a send, and never makes it sleep for days`(field: Field) async throws {
        let clock = ManualClock(date: RetryAfterTests.now)
        let server = try LoopbackServer()
        let busy = "HTTP/1.1 \(field.status) Busy\r\n\(field.lines)\r\nContent-Length: 4\r\n\r\nbusy"
        server.handle(nil, "/", inTurn: [.raw(busy), .text("done")])
        let request = NetworkRequest(url: server.url("/"))
        async let result = makeNetwork(time: clock).result(of: request)
        if let pause = field.pause, pause > 0 {
            #expect(await clock.nextPause() == .seconds(pause))
            clock.advance(by: .seconds(pause))
        }

        let body = await result.map(\.body.data)
        if field.pause == nil {
            #expect(body.failure?.payloadData == Data("busy".utf8))
            #expect(body.failure?.statusCode == field.status)
        } else {
            #expect(try body.get() == Data("done".utf8))
        }
        #expect(server.requests.count == (field.pause == nil ? 1 : 2))
    }
}
