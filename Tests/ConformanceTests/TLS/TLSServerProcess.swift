import Foundation
import Pipeline
import Testing

/// The process of `tls_server.py`, which takes commands and gives answers line by line.
final class TLSServerProcess: Sendable {
    private struct State {
        var lastID = 0
        var waiting: [Int: OneShot<Data?>] = [:]
        var hasEnded = false
    }

    private let process = Process()
    private let input = Pipe()
    private let state = Locked(State())

    private static let instance = Result { try TLSServerProcess() }

    /// The process, started when it is first asked for.
    static func shared() throws -> TLSServerProcess { try instance.get() }

    private init() throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", TLSFixture.file("tls_server.py").path]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        let lines = output.fileHandleForReading  // Kept open by whoever reads.
        Thread.detachNewThread { [self] in
            var rest = Data()
            while true {
                let piece = Self.piece(from: lines.fileDescriptor)
                if piece.isEmpty { return end() }
                rest += piece
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    hand(Data(rest[..<newline]))
                    rest = Data(rest[(newline + 1)...])
                }
            }
        }
    }

    /// Reads what there is; nothing at the end. Foundation stops the process when a signal comes in between.
    private static func piece(from descriptor: Int32) -> Data {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count >= 0 { return Data(buffer[..<count]) }
            if errno != EINTR { return Data() }
        }
    }

    /// Gives a command and waits for its answer.
    func ask<Answer: Decodable>(_ command: [String: String]) async throws -> Answer {
        let answer = OneShot<Data?>()
        try give(command, answer)
        let line = try #require(await answer.value(), "the process of the TLS servers has ended")
        return try JSONDecoder().decode(Answer.self, from: line)
    }

    /// Gives a command and does not wait.
    func tell(_ command: [String: String]) throws { try give(command, nil) }

    private func give(_ command: [String: String], _ answer: OneShot<Data?>?) throws {
        // Written under the lock, so that lines do not mix.
        try state.withLock { state in
            state.lastID += 1
            if let answer {
                if state.hasEnded { answer.resolve(nil) } else { state.waiting[state.lastID] = answer }
            }
            let line = try JSONEncoder().encode(command.merging(["id": "\(state.lastID)"]) { $1 })
            try input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8))
        }
    }

    private func hand(_ line: Data) {
        struct Head: Decodable { let id: String }
        guard let head = try? JSONDecoder().decode(Head.self, from: line), let id = Int(head.id) else { return }
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resolve(line)
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for answer in waiting.values { answer.resolve(nil) }
    }
}
