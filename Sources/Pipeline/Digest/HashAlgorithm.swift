/// A hash function (FIPS 180-4; MD5: RFC 1321).
public enum HashAlgorithm: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// MD5, 16 bytes. It is broken: fit for protocols that ask for it, and for nothing else.
    case md5
    /// SHA-256, 32 bytes.
    case sha256
    /// SHA-512, 64 bytes.
    case sha512

    /// How many bytes a digest has.
    public var length: Int {
        switch self {
        case .md5: 16
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The usual name: `MD5`, `SHA-256`, `SHA-512`.
    public var description: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        case .sha512: "SHA-512"
        }
    }
}
