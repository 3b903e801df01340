public import Foundation

/// What the verified chain of a host must hold.
///
///     let rule: PinRule = ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", backup]
///
/// It is satisfied if the chain holds one pin of the set; or, if there are several sets, one of each.
public struct PinRule: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The sets of which the chain must hold a pin each. There is none only in a rule that asks for nothing.
    public let required: [Set<Pin>]

    /// Whether a host that does not satisfy the rule is refused. If not, requests go to it all the same, and a
    /// ``SendEvent/Kind/pinViolation(_:)`` tells of it.
    public var isEnforced: Bool

    /// From when on the rule is no longer enforced: an application that is never updated reports then, and goes on working
    /// with servers that have changed their keys. Never if `nil`.
    public var expiry: Date?

    private init(required: [Set<Pin>], isEnforced: Bool, expiry: Date?) {
        self.required = required
        self.isEnforced = isEnforced
        self.expiry = expiry
    }

    /// Creates a rule that asks for one pin of a set.
    ///
    /// - Parameters:
    ///   - pins: The pins. Nothing satisfies an empty set.
    ///   - isEnforced: Whether a host that does not satisfy the rule is refused, rather than reported.
    ///   - expiry: From when on the rule is no longer enforced.
    public init(_ pins: Set<Pin>, isEnforced: Bool = true, expiry: Date? = nil) {
        self.init(required: [pins], isEnforced: isEnforced, expiry: expiry)
    }

    /// Creates a rule that asks for one pin of each of several sets: of keys and of certificates, say.
    ///
    /// - Parameters:
    ///   - sets: The sets. Nothing satisfies an empty one, or that there is none.
    ///   - isEnforced: Whether a host that does not satisfy the rule is refused, rather than reported.
    ///   - expiry: From when on the rule is no longer enforced.
    public init(oneOfEach sets: [Set<Pin>], isEnforced: Bool = true, expiry: Date? = nil) {
        self.init(required: sets.isEmpty ? [[]] : sets, isEnforced: isEnforced, expiry: expiry)
    }

    /// Creates a rule that asks for one of these pins.
    public init(arrayLiteral elements: Pin...) {
        self.init(Set(elements))
    }

    /// A rule that asks for nothing: for a host that is an exception to a wider pattern.
    public static let exempt = PinRule(required: [], isEnforced: true, expiry: nil)

    /// Whether the rule asks for nothing.
    public var isExempt: Bool { required.isEmpty }

    /// The sets of which a chain holds no pin.
    func unmet(by chain: [VerifiedCertificate]) -> [Set<Pin>] {
        let held = Set(chain.flatMap { [$0.pin, .certificate($0.certificate)] })
        return required.filter { $0.isDisjoint(with: held) }
    }

    /// The rule as it is at a moment.
    func current(at date: Date) -> PinRule {
        guard let expiry, expiry <= date else { return self }
        return PinRule(required: required, isEnforced: false, expiry: expiry)
    }
}
