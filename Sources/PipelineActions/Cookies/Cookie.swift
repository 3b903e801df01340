public import Foundation
public import Pipeline

/// A cookie as a ``CookieJar`` keeps it (RFC 6265, section 5.3).
///
/// Its value is a secret: neither the description nor `dump` shows it.
public struct Cookie: Sendable, Hashable {
    /// What a server says about requests that come from other sites. It is kept and has no meaning here: requests of a
    /// program come from no site.
    public enum SameSite: String, Sendable, Hashable, Codable {
        /// Only with requests from the same site.
        case strict
        /// Also when a link is followed.
        case lax
        /// With any request.
        case none
    }

    /// The name. It may come more than once, with other paths or domains.
    public let name: String

    /// The value, as the server wrote it.
    public let value: String

    /// The host that the cookie is for, in lower case.
    public let domain: String

    /// Whether it is for that host alone. Otherwise it is for the hosts below it too.
    public let isHostOnly: Bool

    /// What the path of a URL must begin with, in whole segments.
    public let path: String

    /// When the cookie ends; `nil` for a session cookie, which ends with the jar.
    public let expires: Date?

    /// Whether it is sent over https only, or to this machine.
    public let isSecure: Bool

    /// Whether the server asks that scripts of web pages be kept from it.
    public let isHTTPOnly: Bool

    /// What the server says about requests from other sites, if it does.
    public let sameSite: SameSite?

    /// When it was first stored. A cookie that takes the place of another keeps that one's time.
    public internal(set) var created: Date

    /// Creates a cookie, to be put into a jar by the application.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host it is for.
    ///   - isHostOnly: Whether it is for that host alone; it is unless told otherwise.
    ///   - path: What the path of a URL must begin with; any path unless told otherwise.
    ///   - expires: When it ends; it is a session cookie unless told otherwise.
    ///   - isSecure: Whether it is sent over https only; it is unless told otherwise.
    ///   - isHTTPOnly: Whether scripts of web pages are to be kept from it; `false` unless told otherwise.
    ///   - sameSite: What is to be said about requests from other sites; nothing unless told otherwise.
    ///   - created: When it was made; now unless told otherwise.
    /// - Throws: `MalformedValue` for a name or value that cannot stand in a `Cookie` field, a domain that is no host, or that
    ///   is an address or a single label while the cookie is for more than that host, and a path without a slash at its
    ///   beginning.
    public init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        expires: Date? = nil,
        isSecure: Bool = true,
        isHTTPOnly: Bool = false,
        sameSite: SameSite? = nil,
        created: Date = Date()
    ) throws(MalformedValue) {
        func malformed(_ kind: String, _ shown: String, _ reason: String) -> MalformedValue {
            MalformedValue(kind: "cookie \(kind)", name: shown, reason: reason)
        }
        guard let field = try? SetCookieField("\(name)=\(value)"), field.name == name, field.value == value else {
            throw malformed("", name, "no control characters, no semicolon, no space at either end, a name without =")
        }
        guard let host = CookieLocation(host: domain)?.host else {
            throw malformed("domain", domain, "it is no host")
        }
        guard isHostOnly || CookieDomain.canHaveSubdomains(host) else {
            throw malformed("domain", domain, "an address or a single label has no hosts below it")
        }
        guard path.utf8.first == UInt8(ascii: "/") else { throw malformed("path", path, "it begins with a slash") }
        self.init(
            field,
            domain: host,
            isHostOnly: isHostOnly,
            path: path,
            expires: expires,
            flags: (isSecure, isHTTPOnly, sameSite),
            created: created
        )
    }

    init(
        _ field: SetCookieField,
        domain: String,
        isHostOnly: Bool,
        path: String,
        expires: Date?,
        flags: (isSecure: Bool, isHTTPOnly: Bool, sameSite: SameSite?),
        created: Date
    ) {
        name = field.name
        value = field.value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        isSecure = flags.isSecure
        isHTTPOnly = flags.isHTTPOnly
        sameSite = flags.sameSite
        self.created = created
    }

    /// Whether it ends with the jar.
    public var isSessionCookie: Bool { expires == nil }

    /// Whether it has ended.
    func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether the other takes its place (RFC 6265, section 5.3, step 11).
    func isReplaced(by other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// All but the value.
    public var description: String {
        var text = "\(name)=<redacted>; \(isHostOnly ? "for" : "below") \(domain)\(path)"
        if let expires { text += "; until \(expires.formatted(.iso8601))" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        return text
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }
}
