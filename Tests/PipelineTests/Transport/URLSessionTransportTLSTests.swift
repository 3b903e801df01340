import Foundation
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(1)))  // A net against hangs; no test comes near it.
struct URLSessionTransportTLSTests {
    let transport = URLSessionTransport()

    #if !canImport(Darwin)
        @Test func `trusts a certificate of a trusted authority`() async throws {
            let response = try await transport.send(NetworkRequest(url: try TLSServer.shared().url("valid")))

            #expect(response.status == .ok)
            #expect(try await response.body.collect() == Data("secret".utf8))
        }

        @Test(arguments: [
            ("self-signed", NetworkError.Code.tlsUntrusted), ("expired", .tlsExpired), ("future", .tlsExpired),
            ("wrong-host", .tlsWrongHost),
        ])
        func `tells refused certificates apart`(name: String, code: NetworkError.Code) async throws {
            let url = try TLSServer.shared().url(name)

            let error = await #expect(throws: NetworkError.self) {
                try await transport.send(NetworkRequest(method: .post, url: url, body: .text("x")))
            }

            #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
            #expect(error?.reach == .no)
        }

        @Test func `notices a secure body that is cut off`() async throws {
            let url = try TLSServer.shared().url("valid").appendingPathComponent("cut")

            let error = await #expect(throws: NetworkError.self) {
                _ = try await transport.send(NetworkRequest(url: url)).body.collect()
            }

            #expect(error?.code == .truncated || error?.code == .connectionLost, "\(error.map(String.init(describing:)) ?? "")")
        }
    #endif
}
