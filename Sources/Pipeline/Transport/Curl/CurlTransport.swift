#if canImport(Glibc)
    public import Foundation

    /// Sends over libcurl: the transport of networks on Linux that name none.
    ///
    ///     var configuration = CurlTransport.Configuration()
    ///     configuration.proxy = .server(URL(string: "http://proxy.example.com:3128")!)
    ///     let network = Network(baseURL: api, transport: CurlTransport(configuration: configuration))
    ///
    /// libcurl is loaded when the first request is sent, from `libcurl.so.4` (7.71 or newer; pins need 7.80), which is there
    /// wherever Foundation's own networking is. Without it every request fails with `transport-unavailable`.
    ///
    /// **One thread.** All connections of a transport are served by one thread, which begins with the first request and ends with
    /// ``shutdown()``, or when the transport was let go of and nothing is under way any more. None of your code runs on it.
    ///
    /// **In line.** At most so many requests are under way as the configuration says; the others wait their turn, by priority. The
    /// attempt limit does not run meanwhile, the total one does. A request's turn ends with the body of its response.
    ///
    /// **Connections** are kept and used again, over HTTP/2 by many requests at once; a response that is streamed or goes to a
    /// file then has one of its own, so that a slow reader holds up nobody else. Each ``TLSPolicy`` has connections of its own.
    ///
    /// **Never twice.** libcurl sends a request again when a used connection dies under it. Here it does so only for a method that
    /// is idempotent and a body that can be read again, if no byte of an answer has come; over a new connection, once, and as an
    /// event. Any other request fails with `connection-lost`.
    ///
    /// **Bodies.** Bytes and files are sent with their length, a stream with its length or in chunked coding. A body that is
    /// gathered is asked for in every coding that libcurl undoes: gzip, deflate, Brotli, Zstandard. One that is streamed or goes to
    /// a file is asked for as it is, unless the request sets `Accept-Encoding`. One coding is undone, more are refused. A
    /// compressed body that ends early while its framing is whole is not noticed, since libcurl does not.
    ///
    /// A slow reader stops the transfer. What waits for it is bounded by ``Configuration/readAhead`` and one piece more: 256 KiB
    /// of a body that comes as it is, or what 16 KiB become of one whose coding was asked for.
    ///
    /// **Upgrades.** For a request that asks for another protocol (``NetworkRequest/upgrade``) libcurl makes the connection, with
    /// proxy, TLS and pins as for any other; the request and the answer are written and read here. From the 101 on it has no
    /// place in line and no idle limit.
    ///
    /// **Time limits.** ``TimeLimits/connect`` covers the look-up of the name, the connection and TLS; ``TimeLimits/idle`` begins
    /// after that, and rests while our side does not move. Both go by the machine's clock.
    ///
    /// **Errors** have libcurl's own text in their cause, a ``CurlError``.
    public final class CurlTransport: Transport {
        private let configuration: Configuration
        private let driver: Result<CurlDriver, NetworkError>

        /// Creates a transport. Nothing is opened before the first request.
        public init(configuration: Configuration = Configuration()) {
            self.configuration = configuration
            driver = CurlLibrary.shared.flatMap { library in
                if let obstacle = configuration.obstacle { return .failure(obstacle) }
                return .success(CurlDriver(library: library, configuration: configuration))
            }
        }

        deinit { try? driver.get().end(.afterwards) }

        /// Everything; pins where libcurl can check them.
        public var capabilities: TransportCapabilities {
            let always: TransportCapabilities = [
                .backPressure, .streamedRequests, .exactHeaders, .trailers, .upgrades,
            ]
            guard case .success(let library) = CurlLibrary.shared, library.pinObstacle == nil else { return always }
            return always.union(.pinning)
        }

        /// The host of the origin, of its address in ``Configuration/resolve``, or of the proxy; `nil` for a Unix-domain socket, and
        /// where exclusions or the environment decide about a proxy.
        public func host(for origin: Origin) -> String? { configuration.host(for: origin) }

        public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            try await begin(request, to: try request.check()).response()
        }

        /// Connects to the host of a URL and returns the chain of certificates that was verified, the server's own first. No
        /// request is sent.
        ///
        /// - Parameters:
        ///   - url: An https URL; only its host and port count.
        ///   - tls: The policy to connect under; the transport's own if `nil`. Its pins are not checked.
        ///   - limits: How long connecting may take.
        /// - Throws: ``NetworkError``, as a request would get; `pinning-unsupported` if libcurl does not tell the chain.
        public func verifiedChain(
            of url: URL,
            tls: TLSPolicy? = nil,
            limits: TimeLimits = .standard
        ) async throws(NetworkError) -> [VerifiedCertificate] {
            guard let origin = Origin(url), origin.scheme == "https" else {
                throw NetworkError(.invalidRequest, "only https has certificates", reach: .no)
            }
            var request = NetworkRequest(method: .head, url: url)
            request.tls = tls ?? configuration.tls
            request.tls?.pins = PinRules()
            request.timeLimits = limits
            let answer = try await start(request, to: origin, isProbe: true).answer()
            guard case .chain(let chain) = answer.body else { return [] }
            return chain
        }

        /// Ends every attempt and waits until all connections are closed and the thread is gone. Later sends fail with
        /// `transport-unavailable`.
        public func shutdown() async {
            await (try? driver.get())?.shutDown()
        }

        private func start(_ request: NetworkRequest, to origin: Origin, isProbe: Bool) throws(NetworkError)
            -> CurlExchange
        {
            if Task.isCancelled { throw NetworkError(.cancelled, reach: .no) }
            let driver = try driver.get()
            try CurlRequestCheck.check(request)
            let tls = request.tls ?? configuration.tls
            try CurlRequestCheck.check(tls, for: origin, isProbe: isProbe)
            let pins = try CurlRequestCheck.pins(of: tls, for: origin, in: request.context)
            let exchange = CurlExchange(
                request,
                origin: origin,
                upload: try CurlUpload(request.body),
                poolKey: CurlPool.Key(
                    for: request,
                    under: origin.isSecure ? tls : nil,
                    allowsHTTP2: configuration.allowsHTTP2
                ),
                pins: pins,
                isProbe: isProbe,
                driver: driver
            )
            try driver.begin(exchange)
            return exchange
        }
    }

    extension CurlTransport: DirectTransport {
        func begin(_ request: NetworkRequest, to origin: Origin) throws -> any DirectAttempt {
            try start(request, to: origin, isProbe: false)
        }
    }
#endif
