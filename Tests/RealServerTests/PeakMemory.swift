#if canImport(Glibc)
    import Foundation
    import Testing

    /// How much memory this process has had at most, as Linux counts it.
    enum PeakMemory {
        /// Runs work.
        ///
        /// - Returns: By how many bytes the resident memory grew at its peak.
        static func growth(during work: () async throws -> Void) async throws -> Int {
            // Makes the peak what there is now (proc(5), clear_refs).
            let reset = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
            try reset.write(contentsOf: Data("5".utf8))
            let before = try read("VmRSS")
            try await work()
            return try read("VmHWM") - before
        }

        private static func read(_ name: String) throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
            return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
        }
    }
#endif
