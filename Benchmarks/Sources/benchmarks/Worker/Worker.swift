import Foundation

/// This program as a contender: it does one piece of work and writes a line that says how long that took.
protocol Worker: Sendable {
    /// Gets a small document.
    func get(_ url: URL) async throws
    /// Gets a large one. Without a file, what comes is dropped.
    func download(_ url: URL, to file: URL?) async throws
    /// Puts a file.
    func upload(_ file: URL, to url: URL) async throws
}

extension Worker {
    /// Does the work and writes what the C program would: the seconds that it took, and the peak of memory in KiB.
    func perform(_ work: Work) async throws {
        if work.kind == .get {
            // Warms up: connections, caches.
            try await inParallel((work.count + 9) / 10, inFlight: work.inFlight) { try await get(work.url) }
        }
        let time = try await ContinuousClock().measure {
            switch (work.kind, work.file) {
            case (.get, _):
                try await inParallel(work.count, inFlight: work.inFlight) { try await get(work.url) }
            case (.download, let file):
                for _ in 0..<work.count { try await download(work.url, to: file) }
            case (.upload, let file?):
                for _ in 0..<work.count { try await upload(file, to: work.url) }
            case (.upload, nil):
                throw BenchmarkFailure("there is no file to send")
            }
        }
        print(time.inSeconds, PeakMemory.inKiB ?? 0)
    }
}

extension Contender {
    /// This program in the contender's part.
    private func worker(for work: Work) throws -> any Worker {
        switch self {
        case .baseline: throw BenchmarkFailure("the C program is a program of its own")
        case .transport: try TransportWorker(for: work)
        case .network: try NetworkWorker(for: work, isWhole: false)
        case .pipeline: try NetworkWorker(for: work, isWhole: true)
        case .session: SessionWorker()
        }
    }

    /// Plays the contender that these arguments name, and does the work that the others describe.
    static func play(_ arguments: [String]) async throws {
        guard let contender = arguments.first.flatMap(Contender.init),
            let work = Work(arguments: Array(arguments.dropFirst()))
        else { throw BenchmarkFailure("no contender does this: \(arguments.joined(separator: " "))") }
        try await contender.worker(for: work).perform(work)
    }
}
