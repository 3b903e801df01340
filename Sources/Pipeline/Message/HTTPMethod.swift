/// What a request asks for: the method (RFC 9110, section 9).
///
/// The list is open: `let purge: HTTPMethod = "PURGE"`. Methods are case-sensitive, so `get` is not ``get``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method. One that is no token is refused when the request is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a method from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }

    /// Transfers a representation of the resource (RFC 9110, section 9.3.1).
    public static let get = HTTPMethod(rawValue: "GET")
    /// As GET, without the content (RFC 9110, section 9.3.2).
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Processes the content as the resource sees fit (RFC 9110, section 9.3.3).
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the resource with the content (RFC 9110, section 9.3.4).
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes the resource in part (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the resource (RFC 9110, section 9.3.5).
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what is possible (RFC 9110, section 9.3.7).
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Asks for the request as it arrived (RFC 9110, section 9.3.8).
    public static let trace = HTTPMethod(rawValue: "TRACE")
    /// Asks a proxy for a tunnel (RFC 9110, section 9.3.6).
    public static let connect = HTTPMethod(rawValue: "CONNECT")

    /// Whether the method only reads (RFC 9110, section 9.2.1). An unknown one does not.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        default: false
        }
    }

    /// Whether sending the request again does no more than sending it once (RFC 9110, section 9.2.2). An unknown method
    /// is not idempotent.
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Refuses what would break the request line (RFC 9112, section 3.1).
    ///
    /// - Throws: ``MalformedValue`` if the method is no token.
    package func check() throws(MalformedValue) {
        guard HTTPSyntax.isMethod(rawValue) else {
            throw MalformedValue(
                kind: "method",
                name: rawValue,
                reason: "a method is made of letters, digits and a few signs (RFC 9110, section 9.1)"
            )
        }
    }
}
