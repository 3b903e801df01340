import Foundation
import Pipeline

/// A network over `CurlTransport`, as an app would use it.
struct NetworkWorker: Worker {
    private let network: Network
    private let isWhole: Bool

    /// - Parameters:
    ///   - work: What will be done.
    ///   - isWhole: Whether there are actions, and small documents are decoded.
    init(for work: Work, isWhole: Bool) throws {
        network = Network(
            baseURL: URL(string: "/", relativeTo: work.url)?.absoluteURL,
            actions: isWhole ? FiveActions.all : [],
            transport: try TransportWorker.makeTransport()
        )
        self.isWhole = isWhole
    }

    func get(_ url: URL) async throws {
        if isWhole {
            _ = try await network.send(FetchUser())
        } else {
            _ = try await network.send(FetchBytes())
        }
    }

    func download(_ url: URL, to file: URL?) async throws {
        let delivery = file.map { BodyDelivery.file($0) } ?? .stream
        let response = try await network.send(NetworkRequest(url: url, delivery: delivery))
        if file == nil {
            for try await _ in response.body {}
        }
    }

    func upload(_ file: URL, to url: URL) async throws {
        _ = try await network.send(NetworkRequest(method: .put, url: url, body: .file(file)))
    }
}
