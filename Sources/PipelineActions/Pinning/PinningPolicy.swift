public import Pipeline

/// Which hosts must hold which pins, and which need not.
///
///     let policy = PinningPolicy(
///         [try PinningRule("api.example.com", "*.example.com", keys: ["sha256/…", "sha256/…"])],
///         excluding: ["status.example.com"],
///         unlisted: .refused
///     )
///
/// For each host the most specific pattern counts, whether it stands in a rule or among the excluded: a name before `*`, and
/// that before `**`; a longer name behind the star before a shorter. Where a pattern stands in both, it is excluded; of two rules
/// for the same pattern the later counts.
public struct PinningPolicy: Sendable, Hashable {
    /// The rules.
    public var rules: [PinningRule]

    /// The hosts of which nothing is asked, though a wider pattern stands for them.
    public var excluded: [HostPattern]

    /// What becomes of hosts that have no rule and are not excluded. They are allowed unless told otherwise.
    public var unlisted: PinRules.Unlisted

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - excluded: The hosts of which nothing is asked. One that is malformed is refused when a request is sent.
    ///   - unlisted: What becomes of hosts that have no rule.
    public init(
        _ rules: [PinningRule],
        excluding excluded: [HostPattern] = [],
        unlisted: PinRules.Unlisted = .allowed
    ) {
        self.rules = rules
        self.excluded = excluded
        self.unlisted = unlisted
    }

    /// This policy, which refuses nothing and only reports: to try pins out before they count.
    public func reportingOnly() -> PinningPolicy {
        var policy = self
        for index in policy.rules.indices { policy.rules[index].reportsOnly = true }
        if unlisted == .refused { policy.unlisted = .reported }
        return policy
    }

    /// The policy as transports understand it: what ``PinningAction`` puts into ``/Pipeline/TLSPolicy/pins``.
    public var pinRules: PinRules {
        var pins = PinRules(unlisted: unlisted)
        for rule in rules {
            let pinRule = rule.pinRule
            for host in rule.hosts { pins[host] = pinRule }
        }
        for host in excluded { pins[host] = .exempt }
        return pins
    }
}

extension HostPattern {
    /// A site: a host and all below it, which are two patterns.
    ///
    /// - Parameter name: The name of the host, without a star.
    /// - Returns: The name, and the pattern of all hosts below it.
    public static func site(_ name: String) -> [HostPattern] {
        [HostPattern(stringLiteral: name), HostPattern(stringLiteral: "**.\(name)")]
    }
}
