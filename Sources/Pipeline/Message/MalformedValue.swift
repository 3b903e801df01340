/// Says that a value cannot stand where it was put: a header field with a line break, a path with a query, a pattern that
/// is none.
///
/// It names the offender and the rule, never the value of a header field, which may be a secret.
public struct MalformedValue: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of value it is, such as `header field value`.
    public let kind: String

    /// Which one it is: the name of the field, the path. Control characters are escaped.
    public let name: String

    /// The rule it breaks, as a clause without a full stop.
    public let reason: String

    /// Creates an error.
    public init(kind: String, name: String, reason: String) {
        self.kind = kind
        self.name = HTTPSyntax.printable(name)
        self.reason = reason
    }

    public var description: String { "malformed \(kind) \"\(name)\": \(reason)" }
}
