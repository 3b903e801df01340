/// What a server asks for in a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, section 11.3).
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme as the server wrote it. Schemes are compared in any letter case; see ``isScheme(_:)``.
    public let scheme: String

    /// The single piece of data that some schemes have in place of parameters.
    public let token68: String?

    /// The parameters, by their names in lower case; values without quotation marks and escapes.
    public let parameters: [String: String]

    /// The challenges of a response, in the order of preference that the server gave them.
    ///
    /// One field can hold several, and a field can come several times. What does not follow the grammar ends the reading of its
    /// field; the challenges before it count. A challenge that gives a parameter twice is left out.
    ///
    /// - Parameter fields: The values of the fields, one for each.
    public static func challenges(in fields: some Sequence<String>) -> [AuthenticationChallenge] {
        fields.flatMap { field in
            var reader = ChallengeReader(field)
            return reader.challenges()
        }
    }

    /// Whether the scheme is this one, in any letter case.
    public func isScheme(_ name: String) -> Bool {
        scheme.lowercased() == name.lowercased()
    }

    /// The realm: what part of the server is asked for, as people are told it (RFC 9110, section 11.5).
    public var realm: String? { parameters["realm"] }
}
