#if canImport(Glibc)
    extension CurlTransport {
        /// How a ``CurlTransport`` connects, and what it lets through. It holds for as long as the transport does.
        public struct Configuration: Sendable {
            // MARK: How much at once

            /// How many requests may be under way to one host (scheme, host and port), each until its body has ended. The
            /// others wait in line, those of higher ``NetworkRequest/priority`` first. 64 unless told otherwise.
            public var maximumRequestsPerHost = 64

            /// How many requests may be under way in all. 256 unless told otherwise. Each can need a connection, and with
            /// it an open descriptor.
            public var maximumRequests = 256

            /// How long connections that nobody uses are kept after the last request has ended. 60 seconds unless told
            /// otherwise.
            public var restingTime: Duration = .seconds(60)

            // MARK: Where to

            /// The proxy. The one of the environment unless told otherwise.
            public var proxy = Proxy.environment

            /// A Unix-domain socket that all requests go to, by its path; the host of a URL then only names who is asked
            /// for. None unless told otherwise.
            public var unixSocket: String?

            /// Addresses of hosts that no resolver is asked about: `["api.example.com:443": "127.0.0.1"]`. For tests.
            public var resolve: [String: String] = [:]

            // MARK: How

            /// Whether HTTP/2 is spoken over TLS with servers that offer it (ALPN, RFC 7301). True unless told otherwise.
            public var allowsHTTP2 = true

            /// What requests ask of transport security that do not say so themselves.
            public var tls = TLSPolicy()

            /// The `User-Agent` of requests that set none; `nil` sends none. `Pipeline` unless told otherwise. With one that no
            /// field can hold (RFC 9110, section 5.5) every send is an `invalid-request` error.
            public var userAgent: String? = "Pipeline"

            // MARK: What is let in

            /// The largest head of a response, in bytes. 256 KiB unless told otherwise. A larger one is a
            /// `protocol-violation` error.
            public var maximumHeadSize = 256 * 1024

            /// How many fields the head of a response may have. 200 unless told otherwise.
            public var maximumFields = 200

            /// How many interim responses may come before the final one. 16 unless told otherwise.
            public var maximumInterimResponses = 16

            /// How many times its size a compressed body may grow, counted once it is larger than 32 MiB. 2,000 unless told
            /// otherwise, which gzip cannot reach and an honest body does not. More is a `response-too-large` error.
            public var maximumDecompressionRatio = 2_000

            /// How many bytes of a body wait for a slow reader before the transfer is held. 1 MiB unless told otherwise.
            public var readAhead = 1 << 20

            /// Creates the default configuration.
            public init() {}

            /// Why nothing can be sent under it, if so.
            var obstacle: NetworkError? {
                guard let userAgent, !HTTPSyntax.isFieldValue(userAgent) else { return nil }
                return NetworkError(
                    .invalidRequest,
                    "the configuration's User-Agent is no value of a field",
                    reach: .no
                )
            }
        }
    }
#endif
