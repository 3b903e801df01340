import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B33: a body has one framing, its length or chunked coding (RFC 9112, section 6.2).
@Suite(.timeLimit(.minutes(3)))
struct FramingTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.handle { _ in .text("ok") }
    }

    private func body(length: Int?) -> RequestBody {
        .stream(length: length) {
            AsyncStream { continuation in
                continuation.yield(Data("abc".utf8))
                continuation.yield(Data("de".utf8))
                continuation.finish()
            }
        }
    }

    @Test(arguments: [nil, 5], TransportKind.allCases)
    func `a stream is sent with its length alone, or chunked`(length: Int?, kind: TransportKind) async throws {
        let request = NetworkRequest(method: .post, url: server.url("/"), body: body(length: length))
        _ = try await Network(transport: kind.transport).send(request)

        let received = try #require(server.requests.last)
        #expect(received.bodyText == "abcde")
        let framings = received.values(of: "Content-Length") + received.values(of: "Transfer-Encoding")
        // A session cannot send a stream on Linux, so the transport learns its length first.
        #expect(framings == (length == nil && kind == .standard ? ["chunked"] : ["5"]))
    }

    @Test(arguments: ["Content-Length", "Transfer-Encoding"], TransportKind.allCases)
    func `a framing that the caller sets is refused`(name: String, kind: TransportKind) async throws {
        var request = NetworkRequest(method: .post, url: server.url("/"), body: body(length: nil))
        request.headers.append(name: HTTPFieldName(name), value: name == "Content-Length" ? "5" : "chunked")
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: kind.transport).send(request)
        }

        #expect(error?.code == .invalidRequest)
        #expect(error?.reach == .no)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [3, 9], TransportKind.allCases)
    func `a stream that is longer or shorter than it said fails`(length: Int, kind: TransportKind) async throws {
        let request = NetworkRequest(method: .post, url: server.url("/"), body: body(length: length))
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: kind.transport).send(request)
        }

        #expect(error?.statusCode == nil)
        #expect(server.requests.isEmpty)
    }
}
