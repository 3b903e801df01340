import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `URLSession` without this package.
struct SessionWorker: Worker {
    private let session: PlainSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        // Otherwise it gives up on the last of 10,000 requests before their turn comes.
        configuration.timeoutIntervalForRequest = 600
        session = PlainSession(configuration: configuration)
    }

    func get(_ url: URL) async throws {
        _ = try await session.data(from: url)
    }

    func download(_ url: URL, to file: URL?) async throws {
        guard file == nil else { throw BenchmarkFailure("URLSession is not asked for files") }
        try await session.drain(url)
    }

    func upload(_ file: URL, to url: URL) async throws {
        try await session.upload(file, to: url)
    }
}
