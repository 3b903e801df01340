import Foundation
import Pipeline
import PipelineTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How many requests a second come back from a server on the loopback address: from `URLSession` alone, and from a network
/// over it.
///
/// The server is in the same process and has its share in all figures; so what counts is their ratio.
struct LoopbackBenchmark: Benchmark {
    let name = "loopback"

    private static let inFlight = 64
    private static let requestsPerRound = 1024

    @concurrent
    func run(_ report: inout Report) async throws {
        let server = try LoopbackServer(records: false)
        server.handle("GET", "/users/1") { _ in .json(#"{"id": 1, "name": "Ada Lovelace"}"#) }
        let session = PlainSession(configuration: .ephemeral)
        let transport = URLSessionTransport(configuration: .ephemeral)
        let bare = Network(baseURL: server.url, transport: transport)
        let full = Network(
            baseURL: server.url,
            actions: [HeaderAction(1), NoopAction(), HeaderAction(2), NoopAction(), HeaderAction(3)],
            transport: transport
        )
        let url = server.url("/users/1")

        let rounds = try await Rounds(
            7,
            [
                { try await Self.inParallel { _ = try await session.data(from: url) } },
                { try await Self.inParallel { _ = try await bare.send(GetBytes()) } },
                { try await Self.inParallel { _ = try await full.send(GetUser()) } },
            ]
        )

        let rates = rounds.medians.map { Double(Self.requestsPerRound) / $0.inSeconds }
        report.write("\(name).urlsession-alone", rates[0], "requests/s")
        report.write("\(name).network", rates[1], "requests/s")
        report.write("\(name).ratio", rates[1] / rates[0], "x")
        report.write("\(name).five-actions", rates[2], "requests/s")
        report.write("\(name).five-actions-ratio", rates[2] / rates[0], "x")

        session.invalidate()
        await transport.shutdown()
        server.stop()
    }

    /// Makes the requests of a round, so that always as many are under way as there may be.
    private static func inParallel(_ request: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    for _ in 0..<(requestsPerRound / inFlight) { try await request() }
                }
            }
            try await group.waitForAll()
        }
    }
}

private struct GetBytes: Request {
    typealias Response = Data

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: baseURL.appendingPathComponent("users/1"))
    }
}

private struct GetUser: Request {
    struct Response: Decodable {
        let id: Int
        let name: String
    }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: baseURL.appendingPathComponent("users/1"))
    }
}
