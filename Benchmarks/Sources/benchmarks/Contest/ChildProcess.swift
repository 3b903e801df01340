import Foundation

/// Another program, run to its end.
enum ChildProcess {
    /// How long a program may take. A turn takes a few seconds.
    private static let limit: Duration = .seconds(120)

    /// Runs a program and returns what it wrote. What it has to complain about is seen at once, on standard error.
    ///
    /// - Parameters:
    ///   - program: The file to run.
    ///   - arguments: What it is told.
    /// - Throws: ``BenchmarkFailure`` if the program ends with anything but 0, or not in two minutes.
    static func output(of program: URL, _ arguments: [String]) async throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        // Not by a signal that can be blocked: a process inherits what the thread that starts it blocks.
        let watchdog = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds, execute: watchdog)
        }
        watchdog.cancel()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let end = process.terminationReason == .exit ? "ended with" : "was ended by signal"
            let call = ([program.lastPathComponent] + arguments).joined(separator: " ")
            throw BenchmarkFailure("\(call) \(end) \(process.terminationStatus)")
        }
        // All that is read here is a line or two, so that it waits in the pipe.
        return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Finds a program as a shell does; `nil` if it is not installed.
    static func find(_ name: String) -> URL? {
        // Servers are often in folders that are only in the path of the administrator.
        let path = "\(ProcessInfo.processInfo.environment["PATH"] ?? ""):/usr/sbin"
        for folder in path.split(separator: ":") {
            let program = URL(fileURLWithPath: String(folder)).appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        return nil
    }
}
