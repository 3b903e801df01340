import Foundation
import Pipeline
import PipelineTesting
import Testing

/// B17: a 401 with a challenge ends the send like any other response, its body included.
@Suite(.timeLimit(.minutes(3)))
struct ChallengeTests {
    @Test(arguments: [
        (401, "WWW-Authenticate", #"Basic realm="x""#),
        (401, "WWW-Authenticate", #"Digest realm="x", nonce="1", qop="auth""#),
        (401, "WWW-Authenticate", "Negotiate"),
        (407, "Proxy-Authenticate", #"Basic realm="x""#),
    ])
    func `ends with its status and body`(status: Int, name: String, challenge: String) async throws {
        let server = try LoopbackServer()
        server.handle { _ in .status(status, headers: [name: challenge], body: "who are you?") }
        let log = EventLog()
        let network = Network(actions: [RecordingAction("A", log: log)], transport: URLSessionTransport())
        for method in [HTTPMethod.get, .head, .delete] {
            let error = await #expect(throws: NetworkError.self) {
                try await network.send(NetworkRequest(method: method, url: server.url("/")))
            }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.statusCode == status)
            #expect(error?.response?.headers[HTTPFieldName(name)] == challenge)
            #expect(error?.payloadData == (method == .head ? Data() : Data("who are you?".utf8)))
        }

        #expect(log.lines.filter { $0 == "A completed \(status)" }.count == 3)
        #expect(server.requests.count == 3)
    }

    @Test func `a body that was sent along changes nothing`() async throws {
        let server = try LoopbackServer()
        server.handle { _ in .status(401, headers: ["WWW-Authenticate": #"Basic realm="x""#], body: "who?") }
        let network = Network(transport: URLSessionTransport())
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(NetworkRequest(method: .post, url: server.url("/"), body: .text("form")))
        }

        #expect(error?.payloadData == Data("who?".utf8))
        #expect(server.requests.map(\.bodyText) == ["form"])
    }
}
