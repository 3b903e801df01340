import Foundation
import Pipeline

/// `CurlTransport` by itself: what a network sends through.
struct TransportWorker: Worker {
    private let transport: any Transport

    init(for work: Work) throws {
        let roots = work.kind == .get ? work.file : nil
        transport = try Self.makeTransport(trusting: roots)
    }

    /// A transport as it is by default; with a file, one that trusts the certificates in it and no others.
    static func makeTransport(trusting roots: URL? = nil) throws -> any Transport {
        #if canImport(Glibc)
            var configuration = CurlTransport.Configuration()
            if let roots { configuration.tls.roots = .only(try Certificate.list(contentsOf: roots)) }
            return CurlTransport(configuration: configuration)
        #else
            throw BenchmarkFailure("there is no CurlTransport on this platform")
        #endif
    }

    func get(_ url: URL) async throws {
        let response = try await transport.send(NetworkRequest(url: url))
        let data = try await response.body.collect()
        guard response.status == .ok, !data.isEmpty else { throw BenchmarkFailure("\(response.status) from \(url)") }
    }

    func download(_ url: URL, to file: URL?) async throws {
        guard file == nil else { throw BenchmarkFailure("files are written by a network") }
        let response = try await transport.send(NetworkRequest(url: url, delivery: .stream))
        guard response.status == .ok else { throw BenchmarkFailure("\(response.status) from \(url)") }
        for try await _ in response.body {}
    }

    func upload(_ file: URL, to url: URL) async throws {
        let response = try await transport.send(NetworkRequest(method: .put, url: url, body: .file(file)))
        _ = try await response.body.collect()
        guard response.status == .ok else { throw BenchmarkFailure("\(response.status) from \(url)") }
    }
}
