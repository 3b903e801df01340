import Foundation
public import Pipeline

/// Media types that are accepted: one, all of a kind, or all (RFC 9110, section 12.5.1).
///
/// `application/json` is one, `text/*` all of a kind, `*/*` all. Parameters, as in `text/plain;format=flowed`, ask for types
/// that have them, in any order; types can have more. Letter case does not matter, in values of parameters neither, since those
/// that matter here (`charset`) have none.
public struct MediaRange: Sendable, Hashable, ExpressibleByStringLiteral {
    private let type: String
    private let subtype: String
    private let parameters: [String: String]
    private let text: String

    /// Reads a range.
    ///
    /// - Throws: ``/Pipeline/MalformedValue`` if the text is none.
    public init(_ text: String) throws(MalformedValue) {
        guard let parts = MediaTypeParts(text), parts.type != "*" || parts.subtype == "*" else {
            throw MalformedValue(
                kind: "media range",
                name: text,
                reason: "write it like application/json, text/* or */* (RFC 9110, section 12.5.1)"
            )
        }
        type = parts.type
        subtype = parts.subtype
        parameters = parts.parameters.filter { $0.key != "q" }  // A weight, which says nothing of the type.
        self.text = text
    }

    /// Creates a range from a literal.
    ///
    /// - Precondition: The text is a media range.
    public init(stringLiteral value: String) {
        do { try self.init(value) } catch { preconditionFailure("\(error)") }
    }

    /// JSON: `application/json`.
    public static let json: MediaRange = "application/json"

    /// Whether a media type is in the range.
    ///
    /// - Parameter contentType: The value of a `Content-Type` field.
    public func contains(_ contentType: String) -> Bool {
        guard let other = MediaTypeParts(contentType) else { return false }
        return (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
            && parameters.allSatisfy { other.parameters[$0.key] == $0.value }
    }
}

extension MediaRange: CustomStringConvertible {
    /// The range as it was written, which is how `Accept` has it.
    public var description: String { text }

    public static func == (one: MediaRange, other: MediaRange) -> Bool {
        (one.type, one.subtype) == (other.type, other.subtype) && one.parameters == other.parameters
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(subtype)
        hasher.combine(parameters)
    }
}

/// A media type or range, taken apart and in lower case (RFC 9110, section 8.3.1).
struct MediaTypeParts: Hashable {
    let type: String
    let subtype: String
    let parameters: [String: String]

    init?(_ text: String) {
        var rest = Self.pieces(of: text)[...]
        let name = rest.popFirst() ?? ""
        let names = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(Self.isToken) else { return nil }
        var parameters: [String: String] = [:]
        for piece in rest where !piece.isEmpty {
            let parts = piece.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.isToken(parts[0]) else { return nil }
            parameters[Substring(parts[0]).lowercased()] = Self.unquoted(Substring(parts[1])).lowercased()
        }
        type = Substring(names[0]).lowercased()
        subtype = Substring(names[1]).lowercased()
        self.parameters = parameters
    }

    /// What stands between semicolons that are not quoted, without space around it.
    private static func pieces(of text: String) -> [String] {
        var isQuoted = false
        var isEscaped = false
        // Scalars and not characters: with an accent behind it a quotation mark is another character.
        return text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            defer { isEscaped = isQuoted && scalar == "\\" && !isEscaped }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            return scalar == ";" && !isQuoted
        }
        .map { String($0).trimmingCharacters(in: .whitespaces) }
    }

    private static func unquoted(_ text: Substring) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return String(text) }
        var isEscaped = false
        var content = String.UnicodeScalarView()
        for scalar in scalars.dropFirst().dropLast() {
            defer { isEscaped = scalar == "\\" && !isEscaped }
            if scalar != "\\" || isEscaped { content.append(scalar) }
        }
        return String(content)
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
