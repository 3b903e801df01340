/// One line of a head: a name and a value, with what must be known to keep the value safe.
public struct HTTPField: Hashable, Sendable {
    /// The name.
    public var name: HTTPFieldName

    /// The value.
    public var value: String

    private var isMarked: Bool

    /// The origins that a sensitive value may be sent to. `nil` means the origin of the request that it is set on.
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

    /// Whether the value is a secret, by its mark or by its name.
    public var isSensitive: Bool {
        get { isMarked || name.isSensitive }
        set { isMarked = newValue }
    }

    /// The value as it may be shown: a secret is not, control characters are escaped.
    public var printableValue: String { isSensitive ? "<redacted>" : HTTPSyntax.printable(value) }
}

extension HTTPField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the value as it may be shown.
    public var description: String { "\(name): \(printableValue)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.description, "value": printableValue], displayStyle: .struct)
    }
}
