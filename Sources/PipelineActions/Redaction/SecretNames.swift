import Foundation

/// The names whose values are secrets, wherever they come: in queries, forms, JSON, XML and texts.
///
/// Letter case does not count, nor do hyphens, underscores, dots and the like: `accessToken`, `access_token` and
/// `Access-Token` are one name. Of a name with parts, as in `user[password]` or `auth.code`, the last part counts too.
///
///     var names = SecretNames.standard
///     names.insert("iban")
///     names.remove("code")
public struct SecretNames: Sendable, Hashable {
    private var whole: Set<String>
    private var parts: Set<String>
    private var harmless: Set<String>

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - whole: Names that are secret as a whole: `key` is, `monkey` is not.
    ///   - parts: What makes a name secret that it is part of: with `token`, `id_token_hint` is too.
    ///   - harmless: Names that are not secret although a part is: `token_type`.
    public init(_ whole: Set<String>, containing parts: Set<String> = [], except harmless: Set<String> = []) {
        self.whole = Set(whole.map(Self.plain))
        self.parts = Set(parts.map(Self.plain))
        self.harmless = Set(harmless.map(Self.plain))
    }

    /// What is secret unless told otherwise: passwords, tokens, keys, codes and assertions of the sign-in protocols,
    /// signatures of URLs, cookies and sessions, card and one-time numbers.
    public static let standard = SecretNames(
        [
            "app_key", "auth", "authentication", "code", "cvc", "cvv", "device_code", "dpop", "jwt", "key", "mfa_code",
            "otp", "pass", "pin", "pin_code", "pw", "pwd", "saml_request", "saml_response", "sid", "sig", "sms_code",
            "ssn", "totp", "user_code", "x_auth", "x_github_otp", "x_otp", "x_pin",
        ],
        containing: [
            "access_key", "account_key", "api_key", "application_key", "assertion", "auth_code", "auth_key",
            "authorization", "backup_code", "bearer", "card_number", "client_key", "code_verifier", "confirmation_code",
            "cookie", "credential", "csrf", "encryption_key", "functions_key", "license_key", "master_key",
            "one_time_code",
            "passcode", "passphrase", "passwd", "password", "private_key", "recovery_code", "secret", "security_code",
            "session", "shared_key", "signature", "signing_key", "subscription_key", "token", "verification_code",
            "xsrf",
        ],
        except: [
            "access_control_allow_credentials", "completion_tokens", "max_tokens", "prompt_tokens", "session_count",
            "signature_algorithm", "token_count", "token_endpoint", "token_type", "total_tokens",
        ]
    )

    /// Whether the value under a name is a secret.
    public func contains(_ name: String) -> Bool {
        let plain = Self.plain(name)
        if harmless.contains(plain) { return false }
        if whole.contains(plain) || parts.contains(where: { Self.bytes(of: $0, areIn: plain) }) { return true }
        guard let last = Self.lastPart(of: name) else { return false }
        return whole.contains(Self.plain(String(last)))
    }

    // What follows is asked about every name in a text, and therefore makes no strings where it can do without.

    private static func bytes(of part: String, areIn name: String) -> Bool {
        let (part, name) = (part.utf8, name.utf8)
        guard let first = part.first else { return true }
        var rest = name[...]
        while rest.count >= part.count, let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The last of several parts of a name; `nil` if it has one part.
    private static func lastPart(of name: String) -> Substring? {
        guard let last = name.utf8.lastIndex(where: { !isSeparator($0) }) else { return nil }
        let start = name.utf8[...last].lastIndex(where: isSeparator).map(name.utf8.index(after:)) ?? name.startIndex
        let part = name[start...last]
        return part.utf8.count < name.utf8.count ? part : nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { ".[]:$/".utf8.contains(byte) }

    /// Makes a name secret, as a whole.
    public mutating func insert(_ name: String) {
        whole.insert(Self.plain(name))
        harmless.remove(Self.plain(name))
    }

    /// Makes every name secret that contains this one.
    public mutating func insert(containing part: String) {
        parts.insert(Self.plain(part))
    }

    /// Makes a name harmless.
    public mutating func remove(_ name: String) {
        whole.remove(Self.plain(name))
        harmless.insert(Self.plain(name))
    }

    /// Letters and digits only, in lower case.
    private static func plain(_ name: String) -> String {
        var plain = ""
        plain.reserveCapacity(name.utf8.count)
        for scalar in name.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(scalar.value)
                switch byte {
                case 0x30...0x39, 0x61...0x7A: plain.unicodeScalars.append(scalar)
                case 0x41...0x5A: plain.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
                default: break
                }
            } else {
                plain += scalar.properties.lowercaseMapping
            }
        }
        return plain
    }
}
