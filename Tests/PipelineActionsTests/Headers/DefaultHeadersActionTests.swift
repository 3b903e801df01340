import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DefaultHeadersActionTests {
    @Test func `adds what is missing and leaves what is there`() async throws {
        let server = ScriptedTransport([.status(200)])
        let network = Network(
            actions: [DefaultHeadersAction(["Accept": "application/json", "X-Version": 3, "User-Agent": "Mail/2"])],
            transport: server
        )
        _ = try await network.send(
            NetworkRequest(url: URL(string: "https://api.test")!, headers: ["accept": "text/plain"])
        )

        let headers = try #require(server.requests.first?.headers)
        #expect(headers.map(\.name.spelling) == ["accept", "X-Version", "User-Agent"])
        #expect(headers.map(\.value) == ["text/plain", "3", "Mail/2"])
    }

    @Test func `a secret among the defaults does not follow a redirect to another origin`() async throws {
        let server = ScriptedTransport([.redirect(to: "https://other.test/"), .status(200)])
        let network = Network(
            actions: [DefaultHeadersAction([.authorization: "Bearer x", "X-Plain": 1])],
            transport: server
        )
        _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test")!))

        #expect(server.requests.map { $0.headers.contains(.authorization) } == [true, false])
        #expect(server.requests.map { $0.headers["X-Plain"] } == ["1", "1"])
    }
}
