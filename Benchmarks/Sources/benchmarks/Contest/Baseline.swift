import Foundation

/// The C program that others are held against, compiled for the occasion.
///
/// It is not a target of the package, since it needs libcurl's headers: whoever only wants to count allocations should not.
struct Baseline {
    /// The program.
    let program: URL

    private static let source = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appendingPathComponent("../../../Baseline/baseline.c")
        .standardizedFileURL

    /// Compiles the program into a folder.
    ///
    /// - Throws: ``BenchmarkFailure`` with what to install, if a compiler or libcurl's headers are missing.
    init(in folder: URL) async throws {
        let advice = """
            for the C program to compare with, install a compiler and libcurl's headers: \
            apt-get install gcc libcurl4-openssl-dev
            """
        guard let compiler = ["cc", "gcc", "clang"].lazy.compactMap({ ChildProcess.find($0) }).first else {
            throw BenchmarkFailure(advice)
        }
        program = folder.appendingPathComponent("baseline")
        do {
            let arguments = ["-O2", "-o", program.path, Self.source.path, "-lcurl"]
            _ = try await ChildProcess.output(of: compiler, arguments)
        } catch is BenchmarkFailure {
            throw BenchmarkFailure("\(compiler.path) could not compile \(Self.source.path); \(advice)")
        }
    }
}
