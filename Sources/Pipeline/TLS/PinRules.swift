import Foundation

/// Which hosts must hold which pins.
///
///     tls.pins = [
///         "api.example.com": ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", backup],
///         "**.example.com": [authority, backup],
///         "status.example.com": .exempt,
///     ]
///     tls.pins.unlisted = .refused
///
/// For each host one rule counts: that of the most specific pattern that stands for it (``HostPattern``). A name comes before
/// patterns, a pattern with a longer name behind its star before one with a shorter, and `*` before `**`.
public struct PinRules: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// What becomes of a host that has no rule.
    public enum Unlisted: Sendable, Hashable {
        /// Nothing is asked of it.
        case allowed
        /// Nothing is asked of it, and a ``SendEvent/Kind/pinViolation(_:)`` tells of it.
        case reported
        /// Nothing is sent to it.
        case refused
    }

    /// What becomes of a host that has no rule. It is allowed unless told otherwise.
    public var unlisted = Unlisted.allowed

    private var rules: [HostPattern: PinRule] = [:]

    /// Creates rules for no host.
    ///
    /// - Parameter unlisted: What becomes of a host that has no rule.
    public init(unlisted: Unlisted = .allowed) { self.unlisted = unlisted }

    /// Creates rules. Of a pattern given twice, in whatever spelling, the later rule counts.
    public init(dictionaryLiteral elements: (HostPattern, PinRule)...) {
        for (pattern, rule) in elements { rules[pattern] = rule }
    }

    /// The rule of a pattern; `nil` removes it. For the rule that counts for a host ask ``rule(for:)``.
    public subscript(pattern: HostPattern) -> PinRule? {
        get { rules[pattern] }
        set { rules[pattern] = newValue }
    }

    /// The patterns that have a rule, in no order.
    public var patterns: some Collection<HostPattern> { rules.keys }

    /// The rule that counts for a host; `nil` if it has none.
    ///
    /// - Parameter host: A name or an address, as a URL has it.
    public func rule(for host: String) -> PinRule? {
        HostPattern.host(host).flatMap { rule(forNormalized: $0) }
    }

    /// These rules and `others`, which count where both have one for the same pattern. The stricter of the two about unlisted
    /// hosts is kept.
    public func merging(_ others: PinRules) -> PinRules {
        var merged = self
        merged.rules.merge(others.rules) { $1 }
        let strictness: [Unlisted] = [.refused, .reported]
        merged.unlisted = strictness.first { [unlisted, others.unlisted].contains($0) } ?? .allowed
        return merged
    }

    /// Whether nothing is asked of any host, so that a transport that cannot check pins can do with it.
    public var isEmpty: Bool { unlisted == .allowed && rules.values.allSatisfy(\.isExempt) }

    /// Refuses a pattern that is none: it would never stand for a host, and its pins would silently count for nothing.
    func check() throws(MalformedValue) {
        for pattern in rules.keys { try pattern.check() }
    }

    // MARK: For transports

    /// What is asked of a host.
    enum Verdict: Sendable, Hashable {
        case nothing
        case pins(PinRule)
        case unlisted(isRefused: Bool)
    }

    /// - Parameters:
    ///   - host: A host as ``Origin`` has it.
    ///   - date: The time, for rules that expire.
    func verdict(on host: String, at date: @autoclosure () -> Date) -> Verdict {
        guard !isEmpty else { return .nothing }
        guard let rule = rule(forNormalized: host) else {
            return unlisted == .allowed ? .nothing : .unlisted(isRefused: unlisted == .refused)
        }
        return rule.isExempt ? .nothing : .pins(rule.expiry == nil ? rule : rule.current(at: date()))
    }

    private func rule(forNormalized host: String) -> PinRule? {
        // Most hosts are named; only others need all their patterns made.
        rules[.exact(host)] ?? HostPattern.candidates(for: host).lazy.compactMap { rules[$0] }.first
    }
}
