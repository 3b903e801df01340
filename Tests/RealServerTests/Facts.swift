#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// What nginx knows about a request, as `facts.conf` says it. What it does not know is empty.
    struct Facts: Decodable, Sendable {
        /// The number of the connection.
        let connection: String
        /// Which request of its connection this was, from 1.
        let nth: String
        let `protocol`: String
        let method: String
        /// What a proxy says of itself.
        let via: String
        let host: String
        let authorization: String
        let proxyAuthorization: String
        let acceptEncoding: String
        /// The field `X-Secret`.
        let secret: String
        let port: String
        let tlsVersion: String
        let tlsCipher: String
        /// The subject of the client's certificate.
        let client: String

        var wentThroughProxy: Bool { via.contains("tinyproxy") }

        init(_ response: NetworkResponse) async throws {
            self = try JSONDecoder().decode(Facts.self, from: await response.body.collect())
        }
    }

    /// A line of nginx's log.
    struct LogLine: Decodable, Sendable {
        let target: String
        let method: String
        let status: Int
        let authorization: String
        let proxyAuthorization: String
    }

    extension RealServers {
        /// The lines of all requests that carried a mark in their target and were answered before this call.
        func log(of mark: String, over network: Network) async throws -> [LogLine] {
            // The one worker writes a line when it is done with a request, so after this answer all lines before it are there.
            _ = try await network.send(NetworkRequest(url: Endpoint.plain.url("/facts", in: self)))
            return try text("access.log").split(separator: "\n").filter { $0.contains(mark) }.map { line in
                try JSONDecoder().decode(LogLine.self, from: Data(line.utf8))
            }
        }
    }

    extension Network {
        /// A network over libcurl that trusts the servers, through no proxy unless told otherwise.
        convenience init(_ servers: RealServers, proxy: CurlTransport.Proxy = .none, tls: TLSPolicy? = nil) throws {
            var configuration = CurlTransport.Configuration()
            configuration.proxy = proxy
            configuration.tls = try tls ?? servers.policy()
            self.init(transport: CurlTransport(configuration: configuration))
        }

        /// Asks nginx what it knows.
        func facts(_ url: URL, method: HTTPMethod = .get, headers: HTTPHeaders = [:]) async throws -> Facts {
            var request = NetworkRequest(method: method, url: url, headers: headers)
            if method == .post { request.body = .text("a body") }
            return try await Facts(send(request))
        }
    }
#endif
