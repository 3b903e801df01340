import Foundation
public import Pipeline

/// A user name and a password, as ``BasicAuthenticationAction`` and ``DigestAuthenticationAction`` take them.
///
/// Both are kept in Unicode's composed form (NFC), so that the same text means the same bytes whatever keyboard it came from
/// (RFC 8265, sections 3.4 and 4.2). Neither is ever shown.
public struct PasswordCredential: Sendable, Hashable {
    private let secretUser: Secret<String>
    private let secretPassword: Secret<String>

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    /// - Throws: `MalformedValue` for control characters, which neither can hold (RFC 7617, section 2).
    public init(user: String, password: String) throws(MalformedValue) {
        secretUser = Secret(try Self.checked(user, kind: "user name"))
        secretPassword = Secret(try Self.checked(password, kind: "password"))
    }

    /// The user name.
    public var user: String { secretUser.value }

    /// The password.
    public var password: String { secretPassword.value }

    private static func checked(_ text: String, kind: String) throws(MalformedValue) -> String {
        // Those of the C1 block too: their UTF-8 is harmless, what decodes them as Latin-1 may not be.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw MalformedValue(kind: kind, name: "…", reason: "no control characters (RFC 7617, section 2)")
        }
        return text.precomposedStringWithCanonicalMapping
    }
}

extension PasswordCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PasswordCredential(<redacted>)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
