public import Pipeline

/// A hash function of digest authentication (RFC 7616, section 6.1), by itself or for a session.
///
/// SHA-512/256 is left out: neither all of Apple's systems nor servers have it.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// MD5: what a server asks for that names none.
    case md5 = "MD5"
    /// MD5 with a key for each session.
    case md5Session = "MD5-sess"
    /// SHA-256.
    case sha256 = "SHA-256"
    /// SHA-256 with a key for each session.
    case sha256Session = "SHA-256-sess"

    /// The name as it stands in fields.
    public var description: String { rawValue }

    /// The hash function.
    public var hash: HashAlgorithm {
        switch self {
        case .md5, .md5Session: .md5
        case .sha256, .sha256Session: .sha256
        }
    }

    /// Whether the key is that of a session, which its first nonces make.
    public var isForSession: Bool { self == .md5Session || self == .sha256Session }

    /// Reads a name, in any letter case.
    init?(name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = known
    }
}
