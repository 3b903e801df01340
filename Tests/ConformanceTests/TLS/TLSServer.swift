import Foundation
import Pipeline
import Testing

/// An HTTPS server on a loopback port, with a certificate of `Tests/Fixtures/TLS` and a log of its own.
///
/// What it answers stands in `tls_server.py`. All servers live in one process, which ends with that of the tests.
final class TLSServer: Sendable {
    /// What happened at a server.
    struct Log: Decodable {
        struct Request: Decodable {
            let line: String
            let fields: [[String]]
            /// The number of the connection it came on, counted from 1.
            let connection: Int

            func values(of name: String) -> [String] {
                fields.filter { $0.first?.lowercased() == name.lowercased() }.compactMap(\.last)
            }
        }

        /// Connections that have not ended.
        let open: Int
        /// Connections that were accepted.
        let connections: Int
        /// Handshakes that the server finished.
        let handshakes: Int
        /// Handshakes among them that resumed a TLS session.
        let resumed: Int
        /// Bytes of requests, after decryption.
        let bytes: Int
        let requests: [Request]
    }

    let port: Int

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - name: The name of its certificate, or `client-required`.
    ///   - maximum: The highest version of TLS it speaks: "1.2" or "1.3".
    init(_ name: String, maximum: String = "1.3") async throws {
        struct Opened: Decodable { let port: Int }
        let opened: Opened = try await TLSServerProcess.shared().ask(["do": "open", "name": name, "maximum": maximum])
        port = opened.port
    }

    deinit { try? TLSServerProcess.shared().tell(["do": "close", "port": "\(port)"]) }

    func url(_ path: String = "/", host: String = "localhost") -> URL {
        guard let url = URL(string: "https://\(host):\(port)\(path)") else { preconditionFailure("\(host) \(path)") }
        return url
    }

    /// What has happened, once the client has let go of all connections: shut its transport down first, or wait 10 seconds.
    func log() async throws -> Log {
        struct Answer: Decodable { let log: Log }
        let answer: Answer = try await TLSServerProcess.shared().ask(["do": "log", "port": "\(port)"])
        try #require(answer.log.open == 0, "the client keeps connections open")
        return answer.log
    }

    /// Waits, up to 10 seconds, until a client has connected.
    func nextConnection() async throws {
        struct Answer: Decodable { let connections: Int }
        let answer: Answer = try await TLSServerProcess.shared().ask(["do": "await", "port": "\(port)"])
        try #require(answer.connections > 0, "nobody connected")
    }
}
