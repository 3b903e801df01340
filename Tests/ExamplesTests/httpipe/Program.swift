import Foundation
import TestSupport

/// A built program, `httpipe` unless told otherwise, as a shell would run it.
struct Program: Sendable {
    /// How a run ended.
    struct Run: Sendable {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    private let process: ChildProcess
    private let files: Scratch
    /// What standard output is connected to, if it is a pipe.
    let pipe: Pipe?

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - name: The name of the program.
    ///   - input: What comes in through standard input.
    ///   - environment: What the environment holds beside that of the test, whose proxies are left out.
    ///   - isPiped: Whether standard output is a pipe to the test, rather than gathered in a file.
    init(
        _ arguments: [String],
        of name: String = "httpipe",
        input: String = "",
        environment: [String: String] = [:],
        isPiped: Bool = false
    ) throws {
        files = try Scratch()
        pipe = isPiped ? Pipe() : nil
        // Files, since a pipe that nobody reads would fill up and hold the program.
        try Data(input.utf8).write(to: files["input"])
        process = try ChildProcess(
            [Self.path(of: name)] + arguments,
            environment: Self.environment.merging(environment) { $1 },
            input: FileHandle(forReadingFrom: files["input"]),
            output: try pipe?.fileHandleForWriting ?? files.create("output"),
            errors: try files.create("errors")
        )
        // Or its reader would never see the end.
        try pipe?.fileHandleForWriting.close()
    }

    /// Runs the program to its end.
    static func run(_ arguments: String..., input: String = "") async throws -> Run {
        try await Program(arguments, input: input).end()
    }

    /// Does what Ctrl-C does.
    func interrupt() { process.interrupt() }

    /// Waits for the end.
    func end() async throws -> Run {
        Run(
            status: await process.end(),
            output: pipe == nil ? try Data(contentsOf: files["output"]) : Data(),
            errors: String(decoding: try Data(contentsOf: files["errors"]), as: UTF8.self)
        )
    }

    private static var environment: [String: String] {
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        // A program that ends need not wait for its threads, but the thread sanitizer would have it so.
        if let options = variables["TSAN_OPTIONS"] { variables["TSAN_OPTIONS"] = "\(options) report_thread_leaks=0" }
        return variables
    }

    static func path(of name: String) -> String { folder.appendingPathComponent(name).path }

    /// Where the build puts programs: beside the test bundle.
    private static var folder: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
}

/// A folder of its own that goes with the last reference.
final class Scratch: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("httpipe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    subscript(name: String) -> URL { folder.appendingPathComponent(name) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

    func create(_ name: String) throws -> FileHandle {
        try Data().write(to: self[name])
        return try FileHandle(forWritingTo: self[name])
    }
}
