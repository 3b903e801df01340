public import Pipeline

/// The rules that every action must keep, whatever it does otherwise.
///
/// An action runs inside other people's sends. It must let them end, be cancelled, stream, and be released. Each case sends
/// through a network that has the action alone, over a transport in memory, with pauses that take no time.
///
///     @Test func `SigningAction keeps the rules of actions`() async {
///         #expect(await ActionConformance.violations { SigningAction(key: key) } == [])
///     }
///
/// The action must let a plain request through and its answer back: give it what it needs for that, a token or a request of
/// its own kind. Which phase it stands in and what it changes is its own affair; what the cases look at are the custom
/// properties, a header field of an unlikely name, and the bytes of answers that no rule gives it cause to change.
public struct ActionConformance: Sendable {
    /// One rule.
    public struct Case: Sendable, CustomStringConvertible {
        /// The rule as the end of a sentence about the action: "lets a cancelled send end". It identifies the case.
        public let name: String

        private let check: @Sendable (ActionStage) async throws -> Void

        init(_ name: String, _ check: @escaping @Sendable (ActionStage) async throws -> Void) {
            self.name = name
            self.check = check
        }

        /// The name.
        public var description: String { name }

        /// Runs the case.
        ///
        /// - Parameters:
        ///   - patience: How long the case may take; 30 seconds unless told otherwise. It only matters to actions that hang.
        ///   - request: What is sent; a plain GET unless told otherwise.
        ///   - makeAction: Makes the action.
        /// - Throws: ``ConformanceFailure`` if the rule is not kept.
        public func run(
            patience: Duration = .seconds(30),
            sending request: NetworkRequest? = nil,
            against makeAction: @escaping @Sendable () -> any Action
        ) async throws {
            let stage = ActionStage(rule: name, request: request ?? ActionStage.plainRequest, makeAction: makeAction)
            try await ConformanceTrial(rule: name).run(patience: patience) { [check] in try await check(stage) }
        }
    }

    /// All rules.
    public static let cases: [Case] = endingCases + streamingCases + carryingCases

    /// Runs all cases and gathers what was not kept.
    ///
    /// - Parameters:
    ///   - patience: How long a case may take; 30 seconds unless told otherwise.
    ///   - request: What is sent; a plain GET unless told otherwise.
    ///   - makeAction: Makes the action; called once for each case.
    /// - Returns: The failures in the order of the cases; none for an action that keeps the rules.
    public static func violations(
        patience: Duration = .seconds(30),
        sending request: NetworkRequest? = nil,
        of makeAction: @escaping @Sendable () -> any Action
    ) async -> [ConformanceFailure] {
        var violations: [ConformanceFailure] = []
        for rule in cases {
            do {
                try await rule.run(patience: patience, sending: request, against: makeAction)
            } catch let failure as ConformanceFailure {
                violations.append(failure)
            } catch {
                violations.append(ConformanceFailure(rule: rule.name, expected: "no error", seen: "\(error)"))
            }
        }
        return violations
    }
}
