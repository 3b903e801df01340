#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// WebSocket servers that nobody here wrote, as `Scripts/interop-websockets` starts them. `swift test` finds none and leaves
    /// the suite out.
    struct WebSocketServers: Decodable, Sendable {
        struct Ports: Decodable, Sendable {
            let plain: Int
            let tls: Int
        }

        let websockets: Ports
        let wsproto: Ports
        /// The certificate of both, which is its own authority.
        let certificate: String
        /// As OpenSSL computes it.
        let pin: String

        private static let variable = "PIPELINE_WEBSOCKET_SERVERS"

        static var areThere: Bool { ProcessInfo.processInfo.environment[variable] != nil }

        /// Reads the description that the environment names.
        init() throws {
            let path = try #require(ProcessInfo.processInfo.environment[Self.variable])
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        }

        func url(_ peer: WebSocketPeer, _ path: String) throws -> URL {
            let ports = peer.library == .websockets ? websockets : wsproto
            let start = peer.isSecure ? "wss://localhost:\(ports.tls)" : "ws://127.0.0.1:\(ports.plain)"
            return try #require(URL(string: "\(start)/\(path)"))
        }

        func policy(pins: PinRules = [:]) throws -> TLSPolicy {
            let text = try String(contentsOfFile: certificate, encoding: .utf8)
            return TLSPolicy(roots: .only(try Certificate.list(pem: text)), pins: pins)
        }

        func network(pins: PinRules = [:]) throws -> Network {
            var configuration = NetworkConfiguration()
            configuration.tls = try policy(pins: pins)
            return Network(transport: CurlTransport(), configuration: configuration)
        }
    }

    /// Which library is at the other end, and whether TLS is between.
    struct WebSocketPeer: Sendable, CaseIterable, CustomTestStringConvertible {
        enum Library: String, Sendable, CaseIterable {
            case websockets
            case wsproto
        }

        let library: Library
        let isSecure: Bool

        static let allCases = Library.allCases.flatMap { library in
            [false, true].map { WebSocketPeer(library: library, isSecure: $0) }
        }

        var testDescription: String { library.rawValue + (isSecure ? " over TLS" : "") }
    }
#endif
