import Foundation

/// The value of a `Set-Cookie` field, taken apart but not yet judged (RFC 6265, section 5.2).
struct SetCookieField: Sendable, Hashable {
    let name: String
    let value: String
    private(set) var expires: Date?
    /// In seconds; zero or less means the past.
    private(set) var maxAge: Int?
    /// In lower case and without a dot at its beginning; never empty.
    private(set) var domain: String?
    /// Begins with a slash.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: Cookie.SameSite?

    /// Reads the value of a field.
    ///
    /// It is cut at bytes, not at characters: a semicolon with a combining accent behind it is one character, but still a
    /// semicolon.
    ///
    /// - Throws: ``CookieRefusal/malformed`` without a name and an equals sign, ``CookieRefusal/controlCharacter``.
    init(_ text: String) throws(CookieRefusal) {
        guard !text.utf8.contains(where: Self.isControl) else { throw .controlCharacter }
        var parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst(), let (name, value) = Self.pair(pair), let value, !name.isEmpty else {
            throw .malformed
        }
        self.name = name
        self.value = value
        for part in parts {
            guard let (name, value) = Self.pair(part) else { continue }
            read(attribute: name.lowercased(), value ?? "")
        }
    }

    /// Of an attribute given twice, the later counts.
    private mutating func read(attribute: String, _ value: String) {
        guard value.utf8.count <= Self.longestAttribute else { return }
        switch attribute {
        case "expires":
            if let date = CookieDate.parse(value) { expires = date }
        case "max-age":
            if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain":
            let hasDot = value.utf8.first == UInt8(ascii: ".")
            let name = hasDot ? String(decoding: value.utf8.dropFirst(), as: UTF8.self) : value
            if !name.isEmpty { domain = name.lowercased() }
        case "path":
            path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure":
            isSecure = true
        case "httponly":
            isHTTPOnly = true
        case "samesite":
            sameSite = Cookie.SameSite(rawValue: value.lowercased())
        default:
            break
        }
    }

    /// A longer value is no path and no domain that anybody uses.
    private static let longestAttribute = 1024

    /// A name and what stands behind the first equals sign, both without the space around them.
    private static func pair(_ part: Substring.UTF8View) -> (name: String, value: String?)? {
        guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(part), nil) }
        return (trimmed(part[..<sign]), trimmed(part[part.index(after: sign)...]))
    }

    private static func trimmed(_ part: Substring.UTF8View) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = part.firstIndex(where: { !isBlank($0) }), let last = part.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: part[first...last], as: UTF8.self)
    }

    /// A number of seconds, which may be negative; one too large to count is as large as can be. `nil` if it is none.
    private static func seconds(_ value: String) -> Int? {
        let isNegative = value.utf8.first == UInt8(ascii: "-")
        let digits = value.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(value) ?? (isNegative ? .min : .max)
    }

    /// Whether a byte would make the cookie unfit to be sent back. The tab is trimmed at the ends and harmless between them.
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}
