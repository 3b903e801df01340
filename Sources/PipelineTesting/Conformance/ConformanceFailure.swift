/// A rule that was not kept.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the rule.
    public let rule: String

    /// What the rule asks for.
    public let expected: String

    /// What was seen.
    public let seen: String

    /// The rule, what it asks for, and what was seen.
    public var description: String { "\(rule): expected \(expected), saw \(seen)" }
}
