#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// B16 over TLS: a credential goes neither to another origin nor down to clear text.
    @Suite(.timeLimit(.minutes(3)))
    struct TLSRedirectTests {
        private let stage = CurlTLSStage()

        private func send(_ url: URL) async throws -> NetworkResponse {
            let request = stage.request(url, tls: try TLSFixture.policy(), method: .get)
            return try await Network(transport: stage.transport).send(request)
        }

        @Test func `a redirect to clear text is refused`() async throws {
            let secure = try await TLSServer("good")
            let clear = try LoopbackServer()

            let error = await #expect(throws: NetworkError.self) {
                try await send(secure.url("/redirect?to=\(clear.url.absoluteString)"))
            }

            #expect(error?.code == .redirectRefused)
            #expect(clear.connections.isEmpty)
            let log = try await stage.finalLog(of: secure)
            #expect(log.requests.map { $0.values(of: "Authorization") } == [["Bearer canary"]])
        }

        @Test func `a credential stays behind when the port changes`() async throws {
            let first = try await TLSServer("good")
            let second = try await TLSServer("second")

            let response = try await send(first.url("/redirect?to=\(second.url().absoluteString)"))

            #expect(response.status == 200)
            #expect(
                try await stage.finalLog(of: first).requests.first?.values(of: "Authorization") == ["Bearer canary"]
            )
            #expect(try await stage.finalLog(of: second).requests.map { $0.values(of: "Authorization") } == [[]])
        }

        @Test func `a redirect to a server that is not trusted ends there`() async throws {
            let first = try await TLSServer("good")
            let second = try await TLSServer("untrusted-root")

            let error = await #expect(throws: NetworkError.self) {
                try await send(first.url("/redirect?to=\(second.url().absoluteString)"))
            }

            #expect(error?.code == .tlsUntrusted)
            #expect(error?.reach == .no)
            #expect(try await stage.finalLog(of: second).bytes == 0)
        }
    }
#endif
