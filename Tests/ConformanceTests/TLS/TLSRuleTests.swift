import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct TLSRuleTests {
    #if canImport(Glibc)
        @Test(arguments: TLSRule.all)
        func `CurlTransport keeps the rules of TLS`(_ rule: TLSRule) async throws {
            try await rule.run(against: CurlTransport())
        }
    #endif

    @Test(arguments: TLSRule.all)
    func `URLSessionTransport keeps the rules of TLS`(_ rule: TLSRule) async throws {
        guard let reason = knownDifferences[rule.name] else {
            return try await rule.run(against: URLSessionTransport())
        }
        await #expect(throws: BrokenTLSRule.self, "no longer true: \(reason)") {
            try await rule.run(against: URLSessionTransport())
        }
    }

    @Test func `names only rules that exist`() {
        let names = Set(TLSRule.all.map(\.name))
        #expect(Set(knownDifferences.keys).isSubset(of: names))
        #expect(names.count == TLSRule.all.count, "names identify rules")
    }

    /// What `URLSessionTransport` cannot do, with the reason.
    ///
    /// Foundation offers no way to trust an authority for one session, on Linux not even for one process. So what only a
    /// trusted certificate can be, expired or for another host, is told from texts in `NetworkErrorURLErrorTests`.
    private let knownDifferences: [String: String] = {
        let rulesThatNeedNoAuthority = [
            "refuses an authority that the system does not know",
            "refuses a certificate that nobody issued",
            "refuses an authority that nobody knows",
            "refuses a chain with a gap",
            "tells a server that speaks no TLS from one that is not trusted",
        ]
        let others = TLSRule.all.map(\.name).filter { !rulesThatNeedNoAuthority.contains($0) }
        return Dictionary(uniqueKeysWithValues: others.map { ($0, "it cannot be given an authority, so it refuses") })
    }()
}
