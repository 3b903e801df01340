import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TransportConformanceTests {
    /// The rules that are asked of those who claim to keep them, which this transport does not.
    private static let vacuous: Set = [
        "keeps fields of one name apart and in their places, if it claims exact headers",
        "keeps order and spelling of the fields of a response, if it claims exact headers",
        "holds a transfer that nobody reads, if it claims back-pressure",
        "tells trailers, if it claims to",
    ]

    @Test func `finds out a transport that makes up its answers`() async {
        let kept = await withTaskGroup(of: String?.self, returning: Set<String>.self) { group in
            for rule in TransportConformance.cases {
                group.addTask {
                    do {
                        // Most cases wait for a request that never comes. The others end by themselves.
                        let patience: Duration = Self.vacuous.contains(rule.name) ? .seconds(50) : .seconds(1)
                        try await rule.run(patience: patience) { InventingTransport() }
                        return rule.name
                    } catch {
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { names, name in if let name { names.insert(name) } }
        }
        #expect(kept == Self.vacuous)
    }
}

/// Answers everything with an empty success and sends nothing.
private struct InventingTransport: Transport {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(status: 200, request: request)
    }
}
