import Foundation
import Pipeline

/// Takes secrets out of header fields, and leaves what helps to find a fault: the scheme of a credential, the names of cookies.
struct FieldRedaction {
    private let names: SecretNames
    private let headerNames: Set<HTTPFieldName>

    init(_ names: SecretNames, headerNames: Set<HTTPFieldName>) {
        self.names = names
        self.headerNames = headerNames
    }

    func redactedValue(of field: HTTPField) -> String {
        if headerNames.contains(field.name) { return RedactionPolicy.mark }
        switch field.name {
        case .authorization, .proxyAuthorization: return withScheme(field.value)
        case .cookie: return Self.pairs(field.value, keepingAttributes: false)
        case .setCookie: return Self.pairs(field.value, keepingAttributes: true)
        default: break
        }
        if field.isSensitive || names.contains(field.name.spelling) { return RedactionPolicy.mark }
        switch field.name {
        case .location, .contentLocation, .referer: return URLRedaction(names).redacted(field.value)
        // Challenges too: their secret is the answer, and what they ask must be seen to be understood.
        default: return TextRedaction(names).redacted(field.value)
        }
    }

    /// The schemes of the IANA registry that are in use, and what is common beside them.
    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth", "scram-sha-1",
        "scram-sha-256", "vapid", "token", "apikey", "aws4-hmac-sha256",
    ]

    private func withScheme(_ value: String) -> String {
        guard let space = value.utf8.firstIndex(of: UInt8(ascii: " ")), case let scheme = value[..<space],
            Self.schemes.contains(scheme.lowercased())
        else { return RedactionPolicy.mark }
        return scheme + " " + RedactionPolicy.mark
    }

    private static let attributes: Set<String> = [
        "domain", "expires", "httponly", "max-age", "partitioned", "path", "priority", "samesite", "secure",
    ]

    /// Cookies by their names. What is no pair is a value by itself (RFC 6265, section 5.2).
    private static func pairs(_ value: String, keepingAttributes: Bool) -> String {
        // Scalars and not characters: with an accent behind it a semicolon is another character.
        value.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false).enumerated().map { place, part in
            let pair = String(part).trimmingCharacters(in: .whitespaces)
            let name = pair[..<(pair.utf8.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex)]
            if keepingAttributes, place > 0, attributes.contains(name.lowercased()) { return pair }
            return name.endIndex < pair.endIndex ? name + "=" + RedactionPolicy.mark : RedactionPolicy.mark
        }.joined(separator: "; ")
    }
}
