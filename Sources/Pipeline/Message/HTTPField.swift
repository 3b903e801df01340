import Foundation

/// One line of a head: a name and a value, with what must be known to keep the value safe.
public struct HTTPField: Hashable, Sendable {
    /// The name.
    public var name: HTTPFieldName

    /// The value.
    public var value: String

    private var isMarked: Bool

    /// The origins that a sensitive value may be sent to. `nil` means the origin of the request that it is set on. Without
    /// meaning for a value that is no secret.
    ///
    /// A request that goes elsewhere goes without the field, whether a redirect or an action has sent it there.
    public var origins: Set<Origin>?

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value, without space at either end. One that cannot be sent is refused when the request is sent.
    ///   - isSensitive: Marks the value as a secret: it is not logged, and does not follow a redirect to another origin. The
    ///     values of fields such as `Authorization` and `Cookie` are secrets without a mark.
    ///   - origins: The origins that a sensitive value may be sent to; that of the request unless told otherwise.
    public init(name: HTTPFieldName, value: String, isSensitive: Bool = false, origins: Set<Origin>? = nil) {
        self.name = name
        self.value = value
        isMarked = isSensitive
        self.origins = origins
    }

    /// Whether the value is a secret, by its mark or by its name. Writing sets or removes the mark; a name in
    /// ``HTTPFieldName/sensitive`` keeps the value a secret all the same.
    public var isSensitive: Bool {
        get { isMarked || name.isSensitive }
        set { isMarked = newValue }
    }

    /// The value as it may be shown: a secret is not, control characters are escaped. An address is shown without user,
    /// password, query and fragment.
    public var printableValue: String {
        if isSensitive { return "<redacted>" }
        return Self.addresses.contains(name) ? URL.printableReference(value) : HTTPSyntax.printable(value)
    }

    /// The fields whose value is a URL or a reference to one (RFC 9110, sections 8.7, 10.1.3 and 10.2.2).
    private static let addresses: Set<HTTPFieldName> = [.location, .contentLocation, .referer]
}

extension HTTPField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the value as it may be shown.
    public var description: String { "\(name): \(printableValue)" }

    /// The same as ``description``: a debugger and `dump` show no secret either.
    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.description, "value": printableValue], displayStyle: .struct)
    }
}

extension HTTPField {
    /// A mark that the name makes needless is no difference.
    public static func == (one: HTTPField, other: HTTPField) -> Bool {
        one.name == other.name && one.value == other.value && one.isSensitive == other.isSensitive
            && one.origins == other.origins
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
        hasher.combine(isSensitive)
        hasher.combine(origins)
    }
}
