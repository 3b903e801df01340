public import Foundation

/// A token that a server takes as proof of who asks, with what is known about it (RFC 6749, section 5.1; RFC 6750).
///
///     let token = AccessToken("eyJhbGciOi…", refreshToken: "8xLOxBtZp8", expiresIn: .seconds(3600))
///
/// It reads itself from the usual JSON of token endpoints: `access_token`, `token_type`, `expires_in`, `refresh_token` and
/// `scope`, whether or not the decoder turns names from snake case into camel case. Answers with other names convert to it
/// as an ``AccessTokenConvertible``.
///
/// Description, interpolation and `dump` show neither token. Encoding does write them: that is what token stores are for.
public struct AccessToken: Sendable, Hashable {
    /// The token itself.
    public var value: String

    /// How the token is used: the word before it in the `Authorization` field. `Bearer` unless told otherwise, whatever the
    /// case in which the server wrote it.
    public var type: String

    /// What a new access token can be had for.
    public var refreshToken: String?

    /// What the token is good for, in the words of the server: names with spaces between (RFC 6749, section 3.3).
    public var scope: String?

    private var expiry: Expiry?

    /// When the token came; `nil` until a ``TokenVault`` takes it, or reads it from a store that does not know.
    public private(set) var receivedAt: Date?

    private enum Expiry: Sendable, Hashable {
        /// As token endpoints say it.
        case after(Duration)
        case at(Date)
    }

    /// Creates a token that is good for some time from now on, or for ever.
    ///
    /// - Parameters:
    ///   - value: The token itself.
    ///   - type: The word before it in the `Authorization` field.
    ///   - refreshToken: What a new access token can be had for.
    ///   - expiresIn: How long it is good for, counted from the moment a ``TokenVault`` takes it. `nil` says that only the
    ///     server knows.
    ///   - scope: What it is good for.
    public init(
        _ value: String,
        type: String = "Bearer",
        refreshToken: String? = nil,
        expiresIn: Duration? = nil,
        scope: String? = nil
    ) {
        self.value = value
        self.type = type.lowercased() == "bearer" ? "Bearer" : type
        self.refreshToken = refreshToken
        self.scope = scope
        expiry = expiresIn.map(Expiry.after)
    }

    /// Creates a token that is good until some moment on the wall clock: the `exp` claim of a JSON Web Token, for one.
    public init(
        _ value: String,
        type: String = "Bearer",
        refreshToken: String? = nil,
        expiresAt: Date,
        scope: String? = nil
    ) {
        self.init(value, type: type, refreshToken: refreshToken, scope: scope)
        expiry = .at(expiresAt)
    }

    /// When the token expires; `nil` if that is not known, or counted from a receipt that is still to come.
    public var expiresAt: Date? {
        switch expiry {
        case .at(let date): date
        case .after(let duration): receivedAt?.addingTimeInterval(duration.inSeconds)
        case nil: nil
        }
    }

    /// The token with the moment of its receipt, from which its life counts. One that has it keeps it.
    func received(at date: Date) -> AccessToken {
        var token = self
        token.receivedAt = receivedAt ?? date
        return token
    }

    /// The token with the refresh token of the one before, unless it has its own: a server that keeps a refresh token need not
    /// send it again (RFC 6749, section 6).
    func keepingRefreshToken(of former: AccessToken?) -> AccessToken {
        var token = self
        token.refreshToken = refreshToken ?? former?.refreshToken
        return token
    }

    /// Whether a server would see no difference.
    func isSameCredential(as other: AccessToken) -> Bool {
        value == other.value && type == other.type
    }

    /// The value of the `Authorization` field (RFC 6750, section 2.1).
    var fieldValue: String { type + " " + value }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What is known about the token, without the token.
    public var description: String {
        var text = "AccessToken(\(type) <redacted>"
        if refreshToken != nil { text += ", refreshable" }
        if let expiresAt { text += ", expires \(expiresAt)" }
        return text + ")"
    }

    /// The same as ``description``: a debugger and `dump` show no secret either.
    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}

extension AccessToken: Codable {
    /// Reads the answer of a token endpoint, or what ``encode(to:)`` wrote.
    ///
    /// `expires_in` may be a number or a text that is one. `expires_at`, which some servers send as well, is in seconds since
    /// 1970 and counts only where `expires_in` is missing, since it depends on two clocks.
    ///
    /// - Throws: `DecodingError` if there is no access token, or a value is of the wrong type.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard let value = try fields.text("access_token"), !value.isEmpty else {
            throw DecodingError.keyNotFound(
                Field("access_token"),
                .init(codingPath: decoder.codingPath, debugDescription: "there is no access token")
            )
        }
        self.init(
            value,
            type: try fields.text("token_type") ?? "Bearer",
            refreshToken: try fields.text("refresh_token"),
            expiresIn: try fields.number("expires_in").map { .seconds(min(max($0, 0), Self.longestLife)) },
            scope: try fields.text("scope")
        )
        if expiry == nil, let seconds = try fields.number("expires_at") {
            expiry = .at(Date(timeIntervalSince1970: seconds))
        }
        receivedAt = try fields.number("received_at").map(Date.init(timeIntervalSince1970:))
    }

    /// Twenty years in seconds. Servers that mean "for ever" send numbers that no calendar has.
    private static let longestLife = 20 * 366 * 86_400.0

    /// Writes the token, secrets included, in the names of a token endpoint.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(value, forKey: Field("access_token"))
        try fields.encode(type, forKey: Field("token_type"))
        try fields.encodeIfPresent(refreshToken, forKey: Field("refresh_token"))
        try fields.encodeIfPresent(scope, forKey: Field("scope"))
        switch expiry {
        case .after(let duration): try fields.encode(duration.inSeconds, forKey: Field("expires_in"))
        case .at(let date): try fields.encode(date.timeIntervalSince1970, forKey: Field("expires_at"))
        case nil: break
        }
        try fields.encodeIfPresent(receivedAt?.timeIntervalSince1970, forKey: Field("received_at"))
    }
}

/// A name in the JSON of a token.
private struct Field: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    /// The name as a decoder spells it that turns snake case into camel case.
    var camelCase: Field {
        let words = stringValue.split(separator: "_")
        return Field(words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined())
    }
}

extension KeyedDecodingContainer<Field> {
    fileprivate func spelling(_ name: String) -> Field {
        let field = Field(name)
        return contains(field) ? field : field.camelCase
    }

    fileprivate func text(_ name: String) throws -> String? {
        try decodeIfPresent(String.self, forKey: spelling(name))
    }

    /// A number, or a text that is one.
    fileprivate func number(_ name: String) throws -> Double? {
        let field = spelling(name)
        if let text = try? decodeIfPresent(String.self, forKey: field) {
            guard let number = Double(text), number.isFinite else {
                throw DecodingError.dataCorruptedError(forKey: field, in: self, debugDescription: "no number")
            }
            return number
        }
        return try decodeIfPresent(Double.self, forKey: field)
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
