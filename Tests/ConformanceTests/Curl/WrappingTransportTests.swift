#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// Transports around a transport keep all the rules that the one inside keeps. The kinds run beside each other, the rules of
    /// each one after another.
    @Suite(.timeLimit(.minutes(3)))
    struct WrappingTransportTests {
        /// Without what the transport inside does not keep either.
        private static let rules = TransportConformance.cases.filter {
            $0.name != "fails on a compressed body that ends early"
        }

        @Test(.serialized, arguments: rules)
        func `a stub that passes requests on keeps the rules of transports`(_ rule: TransportConformance.Case)
            async throws
        {
            try await rule.run {
                let transport = CurlTransport()
                return StubTransport([.otherwise.passThrough(to: transport)], capabilities: transport.capabilities)
            }
        }

        @Test(.serialized, arguments: rules)
        func `a mocking transport keeps the rules of transports`(_ rule: TransportConformance.Case) async throws {
            try await rule.run { MockingTransport(otherwise: CurlTransport()) }
        }

        @Test(.serialized, arguments: rules)
        func `a recording transport keeps the rules of transports`(_ rule: TransportConformance.Case) async throws {
            try await rule.run { RecordingTransport(around: CurlTransport(), to: URL(fileURLWithPath: "/nowhere")) }
        }
    }
#endif
