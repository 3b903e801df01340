#if canImport(Glibc)
    import Foundation

    /// The built `httpipe`, in an environment of the test's choice.
    enum HTTPipe {
        /// How a run ended.
        struct Run: Sendable {
            let status: Int32
            let output: Data
            let errors: String
        }

        /// Runs the program to its end.
        ///
        /// - Parameters:
        ///   - arguments: The arguments.
        ///   - environment: All that its environment holds.
        static func run(_ arguments: [String], environment: [String: String]) async throws -> Run {
            let process = Process()
            process.executableURL = folder.appendingPathComponent("httpipe")
            process.arguments = arguments
            // What the loader needs to find the libraries of Swift, if anything.
            let loader = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
            process.environment = environment.merging(loader) { $1 }
            process.standardInput = FileHandle.nullDevice
            // What the tests have it print is far less than a pipe holds.
            let output = Pipe()
            let errors = Pipe()
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            await withCheckedContinuation { continuation in
                // A thread of its own: Foundation has no way of waiting that misses no early end.
                Thread.detachNewThread {
                    process.waitUntilExit()
                    continuation.resume()
                }
            }
            return Run(
                status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
                output: try output.fileHandleForReading.readToEnd() ?? Data(),
                errors: String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            )
        }

        /// Where the build puts programs: beside the test bundle.
        private static var folder: URL {
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        }
    }
#endif
