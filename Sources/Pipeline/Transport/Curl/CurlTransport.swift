#if canImport(Glibc)
    public import Foundation

    /// Sends over libcurl.
    public final class CurlTransport: Transport {
        /// Creates a transport.
        public init(configuration: Configuration = Configuration()) {}

        public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            throw NetworkError(.transportUnavailable, reach: .no)
        }

        /// Connects to the host of a URL and returns the chain of certificates that was verified, the server's own first.
        /// No request is sent.
        ///
        /// - Throws: ``NetworkError``, as a request would get.
        public func verifiedChain(of url: URL, tls: TLSPolicy? = nil) async throws -> [VerifiedCertificate] {
            throw NetworkError(.transportUnavailable, reach: .no)
        }
    }
#endif
