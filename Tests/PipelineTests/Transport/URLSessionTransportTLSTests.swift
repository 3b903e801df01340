import Foundation
import Pipeline
import PipelineTesting
import Testing

/// Foundation offers no way to trust an authority for one session, on Linux not even for one process. So what only a trusted
/// certificate can be, expired or for another host, is told from texts in ``NetworkErrorURLErrorTests``.
@Suite(.timeLimit(.minutes(1)))  // A net against hangs; no test comes near it.
struct URLSessionTransportTLSTests {
    let transport = URLSessionTransport()

    func failure(of url: URL) async -> NetworkError? {
        await #expect(throws: NetworkError.self) {
            try await transport.send(NetworkRequest(method: .post, url: url, body: .text("x")))
        }
    }

    @Test(arguments: ["self-signed", "private-authority"])
    func `refuses a certificate that leads to no trusted authority`(name: String) async throws {
        let error = await failure(of: try TLSServer.shared().url(name))

        #expect(error?.code == .tlsUntrusted, "\(error.map(String.init(describing:)) ?? "")")
        #expect(error?.reach == .no)
        #expect(error?.category == .security)
    }

    @Test func `tells a server that speaks no TLS from one that is not trusted`() async throws {
        let server = try LoopbackServer()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))

        let error = await failure(of: url)

        #expect(error?.code == .tlsHandshake, "\(error.map(String.init(describing:)) ?? "")")
        #expect(error?.reach == .no)
    }
}
