import Pipeline
import PipelineTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    /// What `URLSession` cannot do on Linux, with the reason. All of it is documented at `URLSessionTransport`.
    static let knownDifferences: [String: String] = [:]

    @Test(arguments: TransportConformance.cases)
    func `keeps the rules of transports`(_ rule: TransportConformance.Case) async throws {
        guard let reason = Self.knownDifferences[rule.name] else { return try await rule.run { URLSessionTransport() } }
        await #expect(throws: ConformanceFailure.self, "no longer true: \(reason)") {
            try await rule.run(patience: .seconds(2)) { URLSessionTransport() }
        }
    }
}
