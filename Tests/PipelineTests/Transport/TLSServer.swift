import Foundation
import Testing

/// The HTTPS servers of `Tests/Fixtures/TLS`, one process for all tests.
final class TLSServer: Sendable {
    private let ports: [String: Int]
    private let process: Process
    private let input: Pipe

    private static let instance = Result { try TLSServer() }

    /// The servers, started when they are first asked for.
    static func shared() throws -> TLSServer { try instance.get() }

    private init() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fixtures/TLS").standardizedFileURL
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", folder.appendingPathComponent("tls_server.py").path]
        let output = Pipe()
        input = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let piece = output.fileHandleForReading.availableData
            try #require(!piece.isEmpty, "the TLS server ended before it said its ports")
            line += piece
        }
        ports = try JSONDecoder().decode([String: Int].self, from: line)
    }

    /// The root of the server with this certificate.
    func url(_ certificate: String) throws -> URL {
        let port = try #require(ports[certificate])
        return try #require(URL(string: "https://localhost:\(port)/"))
    }
}
