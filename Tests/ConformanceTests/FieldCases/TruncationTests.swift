import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B32: a body that ends early never passes as whole (RFC 9112, section 8).
@Suite(.timeLimit(.minutes(3)))
struct TruncationTests {
    private static let cuts: [LoopbackReply] = [
        [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .close],
        [.head(200, headers: ["Transfer-Encoding": "chunked"]), .chunk("abc"), .close],
        [.head(200, headers: ["Transfer-Encoding": "chunked"]), .bytes("10\r\nabc"), .close],
    ]

    private func serve(_ reply: LoopbackReply) throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.handle { _ in reply }
        return server
    }

    @Test(arguments: cuts, TransportKind.allCases)
    func `a gathered body fails`(reply: LoopbackReply, kind: TransportKind) async throws {
        let server = try serve(reply)
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: kind.transport).send(NetworkRequest(url: server.url))
        }

        #expect(error?.code == .truncated)
        #expect(error?.reach == .maybe)
        #expect(error?.statusCode == 200)
    }

    @Test(arguments: cuts, TransportKind.allCases)
    func `a streamed body fails after the bytes that came`(reply: LoopbackReply, kind: TransportKind) async throws {
        let server = try serve(reply)
        let request = NetworkRequest(url: server.url, delivery: .stream)
        let network = Network(transport: kind.transport)
        let response = try await network.send(request)
        var received = Data()
        let error = await #expect(throws: NetworkError.self) {
            for try await chunk in response.body { received += chunk }
        }

        #expect(error?.code == .truncated)
        #expect(received == Data("abc".utf8) || received.isEmpty)
    }

    @Test(arguments: cuts, TransportKind.allCases)
    func `a file does not appear`(reply: LoopbackReply, kind: TransportKind) async throws {
        let server = try serve(reply)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cut-\(UUID().uuidString)")
        let request = NetworkRequest(url: server.url, delivery: .file(file))
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: kind.transport).send(request)
        }

        #expect(error?.code == .truncated)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: TransportKind.allCases)
    func `the end of the connection ends a body that has no other end`(kind: TransportKind) async throws {
        let server = try serve([.head(200), .bytes("abc"), .close])
        let response = try await Network(transport: kind.transport).send(NetworkRequest(url: server.url))
        #expect(response.body.data == Data("abc".utf8))
    }
}
