#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// Servers that nobody here wrote, and all that is asked of them.
    ///
    /// `swift test` finds no servers and leaves the suite out; `Scripts/real-servers` starts them, runs it, and sees to it that
    /// every test ran. They share servers and the memory of one process, so they run one after another.
    @Suite(
        .enabled(if: RealServers.areThere, "needs nginx and tinyproxy: Scripts/real-servers starts them and runs this"),
        .serialized,
        .timeLimit(.minutes(2))
    )
    enum RealServerSuite {}

    /// Where the servers are, as the script writes it.
    struct RealServers: Decodable, Sendable {
        /// nginx, by what it speaks: ports on 127.0.0.1.
        let plain: Int
        let http2: Int
        /// HTTP/2, and says goodbye to a connection after three requests.
        let briefHTTP2: Int
        let http1TLS: Int
        /// Shows a certificate of another host.
        let elsewhere: Int
        /// Asks for a certificate of the client.
        let mutual: Int
        /// tinyproxy, for everybody and for those who have the password.
        let openProxy: Int
        let closedProxy: Int
        let proxyUser: String
        let proxyPassword: String
        /// Where certificates, logs and files are.
        let folder: String
        /// The size of `/files/big`, in bytes.
        let bigSize: Int
        /// As OpenSSL computes them.
        let authorityPin: String
        let serverPin: String
        let strangerPin: String
        let clientPassword: String

        private static let variable = "PIPELINE_REAL_SERVERS"

        static var areThere: Bool { ProcessInfo.processInfo.environment[variable] != nil }

        /// Reads the description that the environment names.
        init() throws {
            let path = try #require(ProcessInfo.processInfo.environment[Self.variable])
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        }

        func file(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")) }

        func text(_ name: String) throws -> String { String(decoding: try file(name), as: UTF8.self) }

        func certificates(_ name: String) throws -> [Certificate] { try Certificate.list(pem: text("\(name).pem")) }

        /// A policy that trusts nobody but the authority of these servers.
        func policy(pins: PinRules = [:]) throws -> TLSPolicy {
            TLSPolicy(roots: .only(try certificates("authority")), pins: pins)
        }
    }

    /// A server of nginx, by what is spoken with it.
    enum Endpoint: Sendable, CaseIterable {
        case plain
        case http1TLS
        case http2

        func port(in servers: RealServers) -> Int {
            switch self {
            case .plain: servers.plain
            case .http1TLS: servers.http1TLS
            case .http2: servers.http2
            }
        }

        var scheme: String { self == .plain ? "http" : "https" }

        var version: HTTPVersion { self == .http2 ? .http2 : .http1_1 }

        func url(_ path: String, in servers: RealServers) throws -> URL {
            try #require(URL(string: "\(scheme)://localhost:\(port(in: servers))\(path)"))
        }
    }
#endif
