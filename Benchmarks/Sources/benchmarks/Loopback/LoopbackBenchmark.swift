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
        server.handle("GET", "/" + OtherEnd.documentPath) { _ in .json(OtherEnd.json) }
        let session = PlainSession(configuration: .ephemeral)
        let transport = URLSessionTransport(configuration: .ephemeral)
        let bare = Network(baseURL: server.url, transport: transport)
        let full = Network(
            baseURL: server.url,
            actions: FiveActions.all,
            transport: transport
        )
        let url = server.url("/" + OtherEnd.documentPath)
        @Sendable func round(_ request: @escaping @Sendable () async throws -> Void) async throws {
            try await inParallel(Self.requestsPerRound, inFlight: Self.inFlight, request)
        }

        let rounds = try await Rounds(
            7,
            [
                { try await round { _ = try await session.data(from: url) } },
                { try await round { _ = try await bare.send(FetchBytes()) } },
                { try await round { _ = try await full.send(FetchUser()) } },
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
}
