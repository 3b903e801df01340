#if canImport(Glibc)
    import Pipeline
    import PipelineTesting
    import Testing

    // One after another: each has a server with threads and descriptors of its own.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct CurlTransportTests {
        /// What `CurlTransport` cannot do, with the reason.
        private static let knownDifferences = [
            "fails on a compressed body that ends early": "libcurl takes the end of the body for the end of the coding"
        ]

        @Test(arguments: TransportConformance.cases)
        func `keeps the rules of transports`(_ rule: TransportConformance.Case) async throws {
            guard let reason = Self.knownDifferences[rule.name] else { return try await rule.run { CurlTransport() } }
            await #expect(throws: ConformanceFailure.self, "no longer true: \(reason)") {
                try await rule.run(patience: .seconds(2)) { CurlTransport() }
            }
        }

        @Test func `names only rules that exist`() {
            let names = Set(TransportConformance.cases.map(\.name))
            #expect(Set(Self.knownDifferences.keys).isSubset(of: names))
        }
    }
#endif
