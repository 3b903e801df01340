import Pipeline

/// The transports that `--transport` can name, the best of the platform first. A new one is one line.
enum TransportTable {
    typealias Maker = @Sendable (ConnectionOptions, [String: String]) throws(UsageError) -> any Transport

    #if canImport(Glibc)
        private static let makers: KeyValuePairs<String, Maker> = ["curl": curl, "urlsession": urlSession]

        private static func curl(
            _ options: ConnectionOptions,
            environment: [String: String]
        ) throws(UsageError) -> any Transport {
            var configuration = CurlTransport.Configuration()
            configuration.proxy =
                switch options.proxy {
                case .environment: .environment
                case .none: .none
                case .server(let url, let user, let password): .server(url, user: user, password: password)
                }
            configuration.resolve = options.resolve
            configuration.allowsHTTP2 = options.allowsHTTP2
            configuration.tls = try options.tls.policy(environment: environment)
            configuration.userAgent = "httpipe"
            return CurlTransport(configuration: configuration)
        }
    #else
        private static let makers: KeyValuePairs<String, Maker> = ["urlsession": urlSession]
    #endif

    private static func urlSession(
        _ options: ConnectionOptions,
        environment: [String: String]
    ) throws(UsageError) -> any Transport {
        if let name = options.demands.first { throw UsageError("the transport urlsession cannot honour \(name)") }
        return URLSessionTransport()
    }

    /// The names, in the order they are listed.
    static let names = makers.map(\.key)

    /// Makes the transport that the options name, or the best one.
    ///
    /// - Parameter environment: Where secrets stand that must not be in a command line.
    /// - Throws: ``UsageError`` for an option that this transport cannot honour, or a file that does not hold what it should.
    static func transport(
        for options: ConnectionOptions,
        environment: [String: String]
    ) throws(UsageError) -> any Transport {
        let name = options.transport ?? names[0]
        guard let make = makers.first(where: { $0.key == name })?.value else {
            throw UsageError("there is no transport \(name)")
        }
        return try make(options, environment)
    }
}

#if canImport(Glibc)
    extension CurlTransport: ChainSource {}
#endif
