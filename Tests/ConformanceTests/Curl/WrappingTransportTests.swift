#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// Transports around a transport keep all the rules that the one inside keeps.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct WrappingTransportTests {
        enum Wrapper: CaseIterable, Sendable {
            case stub, mock, recorder

            func wrap(_ transport: any Transport) -> any Transport {
                switch self {
                case .stub:
                    StubTransport([.otherwise.passThrough(to: transport)], capabilities: transport.capabilities)
                case .mock: MockingTransport(otherwise: transport)
                case .recorder: RecordingTransport(around: transport, to: URL(fileURLWithPath: "/nowhere"))
                }
            }
        }

        /// What the transport inside does not keep either.
        private static let exceptions: Set = ["fails on a compressed body that ends early"]

        @Test(arguments: Wrapper.allCases, TransportConformance.cases.filter { !exceptions.contains($0.name) })
        func `keeps the rules of transports`(_ wrapper: Wrapper, _ rule: TransportConformance.Case) async throws {
            try await rule.run { wrapper.wrap(CurlTransport()) }
        }
    }
#endif
