import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RequestCompressionActionTests {
    static let text = Data(String(repeating: "a line of a log\n", count: 200).utf8)
    static let coded = (try? GzipEncoder().encode(text)) ?? Data()

    private let monitor = RecordingMonitor()

    private var notes: [RequestCompression] {
        monitor.events.compactMap { if case .note(_, let note) = $0.kind { note as? RequestCompression } else { nil } }
    }

    private func send(
        _ request: NetworkRequest,
        through actions: [any Action] = [.requestCompression],
        _ server: ScriptedTransport = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
    ) async throws -> [NetworkRequest] {
        let configuration = NetworkConfiguration(time: ManualClock(), monitors: [monitor])
        _ = try await Network(actions: actions, transport: server, configuration: configuration).send(request)
        return server.requests
    }

    private func post(_ body: RequestBody, _ headers: HTTPHeaders = [:], compresses: Bool? = true) -> NetworkRequest {
        var request = NetworkRequest(method: .post, url: api, headers: headers, body: body)
        request.compressesBody = compresses
        return request
    }

    @Test func `compresses what asks for it, and says so`() async throws {
        let sent = try #require(try await send(post(.bytes(Self.text, contentType: "text/plain"))).first)

        #expect(sent.body.data == Self.coded)
        #expect(sent.headers[.contentEncoding] == "gzip")
        #expect(sent.headers[.contentType] == "text/plain")
        #expect(sent.body.contentType == "text/plain")
        #expect(notes == [.compressed(from: Self.text.count, to: Self.coded.count)])
    }

    @Test(arguments: [(Bool?.none, true, true), (nil, false, false), (true, false, true), (false, true, false)])
    func `asks the request, then the rule`(own: Bool?, rule: Bool, isCompressed: Bool) async throws {
        let action = RequestCompressionAction { _ in rule }
        let sent = try await send(post(.bytes(Self.text), compresses: own), through: [action])
        #expect(sent.first?.headers.contains(.contentEncoding) == isCompressed)
        #expect(notes.isEmpty != isCompressed)
    }

    struct Case: Sendable {
        var body: RequestBody
        var headers: HTTPHeaders = [:]
        var reason: RequestCompression.Reason
    }

    @Test(arguments: [
        Case(body: .bytes(text), headers: [.contentEncoding: "br"], reason: .alreadyCoded),
        Case(body: .bytes(text), headers: [.contentEncoding: "gzip"], reason: .alreadyCoded),
        Case(body: .bytes(text.prefix(1023)), reason: .tooSmall(1023)),
        Case(body: .file(URL(filePath: "/etc/hostname")), reason: .notInMemory),
        Case(body: .stream { AsyncStream<Data> { $0.finish() } }, reason: .notInMemory),
        Case(body: .bytes(text), headers: ["Content-Digest": "x"], reason: .described("Content-Digest")),
        Case(body: .bytes(text), headers: ["Content-Range": "x"], reason: .described("Content-Range")),
        Case(body: .bytes(random), reason: .noSmaller),
    ])
    func `leaves alone what must stay as it is`(testCase: Case) async throws {
        let sent = try #require(try await send(post(testCase.body, testCase.headers)).first)
        #expect(sent.headers[.contentEncoding] == testCase.headers[.contentEncoding])
        #expect(sent.body.data == testCase.body.data)
        #expect(notes == [.left(testCase.reason)])
    }

    private static let random: Data = {
        var generator = SeededGenerator(seed: 1)
        return Data((0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }()

    @Test func `a request without a body is none of its business`() async throws {
        _ = try await send(post(.none))
        #expect(notes.isEmpty)
    }

    /// F6: a retry starts from the original.
    @Test func `is compressed from the original again after a retry and a redirect, never twice`() async throws {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let server = ScriptedTransport([.status(503), .redirect(to: "/next", status: 307), .status(200)])
        var request = post(.bytes(Self.text))
        request.isIdempotent = true
        let sent = try await send(
            request,
            through: [RetryAction(policy), RequestCompressionAction(), RequestCompressionAction()],
            server
        )

        #expect(sent.map(\.body.data) == Array(repeating: Self.coded, count: 3))
        #expect(sent.map { $0.headers.values(of: .contentEncoding) } == Array(repeating: ["gzip"], count: 3))
    }

    @Test func `a server reads what was sent`() async throws {
        let server = try LoopbackServer()
        server.handle { _ in .empty() }
        _ = try await Network(actions: [.requestCompression]).send(
            NetworkRequest(
                method: .put,
                url: server.url("/"),
                body: .bytes(Self.text),
                customProperties: ["compressesBody": true]
            )
        )
        let request = try #require(server.requests.first)
        #expect(request.first(of: "Content-Length") == "\(Self.coded.count)")
        #expect(request.first(of: "Content-Encoding") == "gzip")
        #expect(request.body == Self.coded)
    }

    @Test func `keeps the rules of actions`() async {
        let request = post(.bytes(Self.text))
        #expect(await ActionConformance.violations(sending: request) { RequestCompressionAction() } == [])
    }
}

private let api = URL(string: "https://api.test")!
