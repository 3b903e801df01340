import Foundation
import Pipeline
import Testing

/// HTTPS servers in a process of their own, which ends with the last reference; `Tests/Fixtures/TLS` tells what they answer.
final class TLSServers: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let ports: [String: Int]

    /// Starts a server for each name of a certificate.
    static func start(_ names: String...) async throws -> TLSServers { try await waiting { try TLSServers(names) } }

    private init(_ names: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", Self.file("tls_server.py").path] + names
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        ports = try JSONDecoder().decode([String: Int].self, from: Self.line(from: output))
    }

    deinit {
        // The process ends when its input does.
        try? input.fileHandleForWriting.close()
    }

    /// Where the server with this certificate listens: `localhost:40123`.
    func place(_ name: String, host: String = "localhost") throws -> String { "\(host):\(try #require(ports[name]))" }

    func url(_ name: String, host: String = "localhost") throws -> String { "https://\(try place(name, host: host))/" }

    /// The request lines that came to a server, once its clients have left.
    func requests(_ name: String) async throws -> [String] {
        struct Answer: Decodable {
            struct Log: Decodable {
                struct Request: Decodable { let line: String }
                let requests: [Request]
            }
            let log: Log
        }
        let command = ["id": "1", "do": "log", "port": "\(try #require(ports[name]))"]
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(command) + Data("\n".utf8))
        let answer = try await Self.waiting { [self] in try Self.line(from: output) }
        return try JSONDecoder().decode(Answer.self, from: answer).log.requests.map(\.line)
    }

    /// Does on a thread of its own what blocks it.
    private static func waiting<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }

    private static func line(from pipe: Pipe) throws -> Data {
        var line = Data()
        var byte: UInt8 = 0
        while true {
            let count = read(pipe.fileHandleForReading.fileDescriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { return line }
            line.append(byte)
        }
    }

    // MARK: What stands beside the servers

    static func file(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fixtures/TLS/\(name)").standardizedFileURL
    }

    /// The pin of a public key, by the name of its certificate.
    static func pin(_ name: String) throws -> String {
        try #require(try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file("pins.json")))[name])
    }
}
