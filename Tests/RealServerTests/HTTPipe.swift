#if canImport(Glibc)
    import Foundation
    import TestSupport

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
            // What the loader needs to find the libraries of Swift, if anything.
            let loader = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
            let output = Pipe()
            let errors = Pipe()
            let process = try ChildProcess(
                [folder.appendingPathComponent("httpipe").path] + arguments,
                environment: environment.merging(loader) { $1 },
                output: output.fileHandleForWriting,
                errors: errors.fileHandleForWriting
            )
            try output.fileHandleForWriting.close()
            try errors.fileHandleForWriting.close()
            async let printed = output.fileHandleForReading.allBytes()
            async let complaints = errors.fileHandleForReading.allBytes()
            return Run(
                status: await process.end(),
                output: await printed,
                errors: String(decoding: await complaints, as: UTF8.self)
            )
        }

        /// Where the build puts programs: beside the test bundle.
        private static var folder: URL {
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        }
    }
#endif
