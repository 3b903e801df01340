import Pipeline
import PipelineActions

/// Who the user is to the server.
///
/// The credential belongs to the origin of the URL on the command line and goes nowhere else; over plain http to another
/// machine it is refused.
enum Credential: Sendable, Hashable {
    case bearer(String)
    case basic(PasswordCredential)
    case digest(PasswordCredential)

    /// Reads the value of an option, if it names a credential.
    ///
    /// - Throws: ``UsageError``, which repeats nothing of the value.
    init?(_ name: String, from words: inout ArgumentReader) throws(UsageError) {
        switch name {
        case "--bearer":
            let token = try words.value(of: name)
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw UsageError("--bearer takes a token, without spaces")
            }
            self = .bearer(token)
        case "--basic":
            self = .basic(try Self.password(words.value(of: name), for: name))
        case "--digest":
            self = .digest(try Self.password(words.value(of: name), for: name))
        default: return nil
        }
    }

    /// Reads `USER:PASSWORD`; the first colon ends the name (RFC 7617, section 2).
    private static func password(_ text: String, for name: String) throws(UsageError) -> PasswordCredential {
        // A byte and not a character: an accent that follows the colon would make one with it.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw UsageError("write \(name) USER:PASSWORD")
        }
        let password = String(text[text.utf8.index(after: colon)...])
        do {
            return try PasswordCredential(user: String(text[..<colon]), password: password)
        } catch {
            throw UsageError("\(name): \(error.reason)")
        }
    }

    /// The action that attaches it.
    func action(for origins: CredentialOrigins) throws(UsageError) -> any Action {
        switch self {
        case .bearer(let token):
            return BearerTokenAction(TokenVault(AccessToken(token)), origins: origins)
        case .basic(let credential):
            do {
                return try BasicAuthenticationAction(credential, origins: origins)
            } catch {
                throw UsageError("--basic: \(error.reason)")
            }
        case .digest(let credential):
            return DigestAuthenticationAction(credential, origins: origins)
        }
    }
}
