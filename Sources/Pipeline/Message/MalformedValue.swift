/// Says that a value cannot stand where it was put: a header field with a line break, a path with a query, a pattern that
/// is none.
///
/// It names the offender and the rule, never the value of a header field, which may be a secret.
public struct MalformedValue: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of value it is, such as `header field value`.
    public let kind: String

    /// Which one it is: the name of the field, the path. Control characters are escaped; of a long one the first 200
    /// characters are kept.
    public let name: String

    /// The rule it breaks, as a clause without a full stop.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: What kind of value it is, as in a sentence: `header field value`.
    ///   - name: Which one it is. It is shown in errors and logs, so it must hold no secret.
    ///   - reason: The rule it breaks, as a clause without a full stop.
    public init(kind: String, name: String, reason: String) {
        let start = name.unicodeScalars.prefix(Self.nameLimit)
        self.kind = kind
        self.name = HTTPSyntax.printable(String(start)) + (start.endIndex == name.endIndex ? "" : "…")
        self.reason = reason
    }

    /// Enough to recognise the offender, and less than would fill a line of a log with it.
    private static let nameLimit = 200

    /// A clause that names the kind, the offender and the rule.
    public var description: String { "malformed \(kind) \"\(name)\": \(reason)" }
}
