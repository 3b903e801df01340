#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// A transport, and words for what tests of its transport security do.
    struct CurlTLSStage: Sendable {
        let transport: CurlTransport

        init(_ configuration: CurlTransport.Configuration = CurlTransport.Configuration()) {
            transport = CurlTransport(configuration: configuration)
        }

        /// A POST with a credential and a body, of which nothing must leave where it is refused.
        func request(_ url: URL, tls: TLSPolicy?, method: HTTPMethod = .post) -> NetworkRequest {
            var request = NetworkRequest(
                method: method,
                url: url,
                headers: [.authorization: "Bearer canary"],
                body: method == .get ? .none : .text("canary")
            )
            request.tls = tls
            return request
        }

        /// The body of an answer, as text.
        @discardableResult
        func text(
            _ url: URL,
            tls: TLSPolicy?,
            method: HTTPMethod = .get
        ) async throws -> String {
            let response = try await transport.send(request(url, tls: tls, method: method))
            return String(decoding: try await response.body.collect(), as: UTF8.self)
        }

        /// The error of a request that must fail.
        func failure(
            _ url: URL,
            tls: TLSPolicy?,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async -> NetworkError? {
            await #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
                try await text(url, tls: tls, method: .post)
            }
        }

        /// What has happened at a server, now that the transport has ended.
        func finalLog(of server: TLSServer) async throws -> TLSServer.Log {
            await transport.shutdown()
            return try await server.log()
        }
    }
#endif
