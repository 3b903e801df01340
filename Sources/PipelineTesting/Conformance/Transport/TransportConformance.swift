public import Pipeline

/// The rules of ``/Pipeline/Transport`` as cases to run a transport of your own against.
///
/// Each case starts a ``LoopbackServer`` of its own, plays the server, and throws a ``ConformanceFailure`` that tells what
/// the rule asks for and what was seen. It uses no test library; with Swift Testing it is one test:
///
///     @Test(arguments: TransportConformance.cases)
///     func `keeps the rules of transports`(_ rule: TransportConformance.Case) async throws {
///         try await rule.run { MyTransport() }
///     }
///
/// A transport that cannot keep a rule says so in its documentation, and in its test: list the name of the case with the
/// reason, and expect the failure, so that you notice when it is mended. An empty list is the aim.
///
/// Behind a `Network` these rules are kept by the transport alone: the engine relies on them and does not check.
public struct TransportConformance: Sendable {
    /// One rule.
    public struct Case: Sendable, CustomStringConvertible {
        /// The rule as the end of a sentence about the transport: "sends bytes as they are". It identifies the case.
        public let name: String

        private let check: @Sendable (ConformanceStage) async throws -> Void

        init(_ name: String, _ check: @escaping @Sendable (ConformanceStage) async throws -> Void) {
            self.name = name
            self.check = check
        }

        /// The name.
        public var description: String { name }

        /// Runs the case.
        ///
        /// - Parameters:
        ///   - patience: How long the case may take; 30 seconds unless told otherwise. None comes near it by rights: it is
        ///     there for transports that never answer.
        ///   - makeTransport: Makes the transport; called once or twice. The case shuts it down at the end.
        /// - Throws: ``ConformanceFailure`` if the rule is not kept, and ``LoopbackError`` if there is no server to be had.
        public func run(
            patience: Duration = .seconds(30),
            against makeTransport: @escaping @Sendable () -> any Transport
        ) async throws {
            let stage = try ConformanceStage(rule: name, makeTransport: makeTransport)
            let trial = ConformanceTrial(rule: name)
            try await trial.run(patience: patience) { [check] in try await check(stage) }
        }
    }

    /// All rules.
    public static let cases: [Case] =
        requestCases + uploadCases + progressCases + refusalCases + responseCases + streamingCases + codingCases
        + failureCases + restraintCases + cancellationCases + limitCases + connectionCases
}
