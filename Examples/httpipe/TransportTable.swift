import Foundation
import Pipeline

/// The transports that `--transport` can name, the best of the platform first. A new one is one line.
enum TransportTable {
    typealias Maker = @Sendable (ConnectionOptions, _ environment: [String: String]) throws(UsageError) -> any Transport

    private static let makers: [(name: String, make: Maker)] =
        curl + [
            ("urlsession", { @Sendable options, _ throws(UsageError) in try URLSessionTransport(honouring: options) })
        ]

    /// The names, in the order they are listed.
    static let names = makers.map(\.name)

    /// Makes the transport that the options name, or the best one.
    ///
    /// - Parameter environment: Where secrets stand that must not be in a command line.
    /// - Throws: ``UsageError`` for an option that this transport cannot honour, or a file that does not hold what it should.
    static func transport(
        for options: ConnectionOptions,
        environment: [String: String]
    ) throws(UsageError) -> any Transport {
        let name = options.transport ?? names[0]
        guard let maker = makers.first(where: { $0.name == name }) else {
            throw UsageError("there is no transport \(name)")
        }
        return try maker.make(options, environment)
    }
}

extension URLSessionTransport {
    fileprivate convenience init(honouring options: ConnectionOptions) throws(UsageError) {
        if let name = options.demands.first { throw UsageError("the transport urlsession cannot honour \(name)") }
        self.init()
    }
}

#if canImport(Glibc)
    extension TransportTable {
        fileprivate static let curl: [(name: String, make: Maker)] = [
            (
                "curl",
                { @Sendable options, environment throws(UsageError) in
                    CurlTransport(configuration: try .init(honouring: options, environment: environment))
                }
            )
        ]
    }

    extension CurlTransport.Configuration {
        fileprivate init(honouring options: ConnectionOptions, environment: [String: String]) throws(UsageError) {
            self.init()
            proxy =
                switch options.proxy {
                case .environment: .environment
                case .none: .none
                case .server(let url, let user, let password): .server(url, user: user, password: password)
                }
            resolve = options.resolve
            allowsHTTP2 = options.allowsHTTP2
            tls = try options.tls.policy(environment: environment)
            userAgent = "httpipe"
        }
    }

    extension CurlTransport: ChainSource {
        func chain(of url: URL) async throws -> [VerifiedCertificate] { try await verifiedChain(of: url) }
    }
#else
    extension TransportTable {
        fileprivate static let curl: [(name: String, make: Maker)] = []
    }
#endif
