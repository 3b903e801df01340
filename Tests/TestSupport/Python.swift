package import Foundation

/// What another implementation reads out of the bytes that we write.
package enum Python {
    /// The script ended with an error, which it has written to where the tests write theirs.
    package struct Failure: Error {
        package let status: Int32
    }

    /// Runs a script of Python.
    ///
    /// - Parameters:
    ///   - script: What it does. It finds `value` decoded from JSON, `data` as bytes, and prints what it read as JSON.
    ///   - value: What it is told.
    ///   - data: The bytes that it reads.
    ///   - interpreter: The Python to use; the system's, with nothing but its standard library, unless told otherwise.
    /// - Throws: ``Failure``, what Foundation throws for files that cannot be written, and `DecodingError` for an answer of
    ///   another kind.
    package static func run<Answer: Decodable>(
        _ script: String,
        telling value: some Encodable = "",
        reading data: Data,
        with interpreter: String = "python3",
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
            [interpreter, "-X", "utf8", "-c", prelude + script, file.path, told.path],
            output: pipe.fileHandleForWriting
        )
        try pipe.fileHandleForWriting.close()
        let output = await pipe.fileHandleForReading.allBytes()
        let status = await child.end()
        guard status == 0 else { throw Failure(status: status) }
        return try JSONDecoder().decode(Answer.self, from: output)
    }
}
