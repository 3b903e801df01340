public import Pipeline

/// Says that a ``DefaultHeadersAction`` withheld a secret from a request, since it belongs to other origins.
public struct WithheldDefault: Sendable, Hashable, CustomStringConvertible {
    /// The name of the field.
    public let name: HTTPFieldName

    public var description: String { "\(name) is withheld: it belongs to other origins" }
}
