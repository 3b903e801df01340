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
            "auth", "card_number", "code", "cvc", "cvv", "device_code", "jwt", "key", "otp", "pass", "pin", "pw", "pwd",
            "saml_request", "saml_response", "sid", "sig", "ssn", "totp", "user_code",
        ],
        containing: [
            "access_key", "api_key", "assertion", "auth_key", "authorization", "bearer", "code_verifier", "cookie",
            "credential", "csrf", "encryption_key", "passcode", "passphrase", "passwd", "password", "private_key",
            "secret", "session", "signature", "signing_key", "token", "verification_code", "xsrf",
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
        if whole.contains(plain) || parts.contains(where: plain.contains) { return true }
        guard let last = name.split(whereSeparator: { ".[]:$/".contains($0) }).last, last.count < name.count else {
            return false
        }
        return whole.contains(Self.plain(String(last)))
    }

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
