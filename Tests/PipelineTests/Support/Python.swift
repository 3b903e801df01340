import Foundation
import TestSupport
import Testing

/// What another implementation reads out of the bytes that we write.
enum Python {
    /// Runs a script of the Python standard library.
    ///
    /// - Parameters:
    ///   - script: What it does. It finds `value` decoded from JSON, `data` as bytes, and prints what it read as JSON.
    ///   - value: What it is told.
    ///   - data: The bytes that it reads.
    static func run<Answer: Decodable>(
        _ script: String,
        telling value: some Encodable = "",
        reading data: Data,
        as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("python-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("data")
        try data.write(to: file)
        let told = folder.appendingPathComponent("value")
        try JSONEncoder().encode(value).write(to: told)

        let prelude = """
            import sys, json
            data = open(sys.argv[1], "rb").read()
            value = json.load(open(sys.argv[2], "rb"))

            """
        let pipe = Pipe()
        let child = try ChildProcess(
            ["python3", "-X", "utf8", "-c", prelude + script, file.path, told.path],
            output: pipe.fileHandleForWriting
        )
        try pipe.fileHandleForWriting.close()
        let output = await pipe.fileHandleForReading.allBytes()
        #expect(await child.end() == 0)
        return try JSONDecoder().decode(Answer.self, from: output)
    }
}
