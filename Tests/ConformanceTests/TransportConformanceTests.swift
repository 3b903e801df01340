import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct TransportConformanceTests {
    /// The rules that are asked of those who claim to keep them, which this transport does not.
    private static let vacuous: Set = [
        "keeps fields of one name apart and in their places, if it claims exact headers",
        "keeps order and spelling of the fields of a response, if it claims exact headers",
        "holds a transfer that nobody reads, if it claims back-pressure",
        "tells trailers, if it claims to",
    ]

    @Test func `finds out a transport that makes up its answers`() async {
        var rules = TransportConformance.cases[...]
        let kept = await withTaskGroup(of: String?.self, returning: Set<String>.self) { group in
            // Each case has a server with threads and descriptors; a few at a time are enough.
            for rule in rules.prefix(12) { group.addTask { await Self.nameIfKept(rule) } }
            rules = rules.dropFirst(12)
            var names: Set<String> = []
            while let name = await group.next() {
                if let name { names.insert(name) }
                if let rule = rules.popFirst() { group.addTask { await Self.nameIfKept(rule) } }
            }
            return names
        }
        #expect(kept == Self.vacuous)
    }

    private static func nameIfKept(_ rule: TransportConformance.Case) async -> String? {
        // Most cases wait for a request that never comes. The others end by themselves.
        let patience: Duration = vacuous.contains(rule.name) ? .seconds(50) : .milliseconds(300)
        do {
            try await rule.run(patience: patience) { InventingTransport() }
            return rule.name
        } catch {
            return nil
        }
    }
}

/// Answers everything with an empty success and sends nothing.
private struct InventingTransport: Transport {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(status: 200, request: request)
    }
}
