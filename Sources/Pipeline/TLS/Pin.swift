import Foundation

/// A certificate or a public key that the verified chain of a host must hold.
///
/// A pin of a public key outlives the certificates that are made for it; that of an authority's key holds for all the servers
/// the authority vouches for. Pin a second key that is not in use yet, or losing the first locks every client out.
///
/// `httpipe pins https://api.example.com` prints those of a server, ready to paste.
public struct Pin: Sendable, Hashable, ExpressibleByStringLiteral {
    enum Kind: Sendable, Hashable {
        case publicKey(sha256: Data)
        case certificate(der: Data)
        case malformed(String)
    }

    let kind: Kind

    /// Reads a public key's pin, `sha256/` and the Base64 of 32 bytes: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469,
    /// section 2.4).
    ///
    /// - Throws: ``MalformedValue`` if the text is anything else.
    public init(_ text: String) throws(MalformedValue) {
        self.init(stringLiteral: text)
        try check()
    }

    /// Creates the pin of a public key from a literal. One that is malformed is refused when a request would use it.
    public init(stringLiteral value: String) {
        let prefix = "sha256/"
        if value.hasPrefix(prefix), let hash = Data(base64Encoded: String(value.dropFirst(prefix.count))),
            hash.count == 32
        {
            kind = .publicKey(sha256: hash)
        } else {
            kind = .malformed(value)
        }
    }

    private init(_ kind: Kind) { self.kind = kind }

    /// A whole certificate, which must be in the chain byte by byte.
    public static func certificate(_ certificate: Certificate) -> Pin {
        Pin(.certificate(der: certificate.der))
    }

    /// The public key of a certificate, however often that is renewed.
    ///
    /// - Throws: ``MalformedValue`` if the certificate is none, or the system has no SHA-256.
    public static func publicKey(of certificate: Certificate) throws(MalformedValue) -> Pin {
        let key = try certificate.publicKey()
        do {
            return .publicKey(sha256: try MessageDigest.digest(of: key, .sha256))
        } catch {
            throw MalformedValue(kind: "pin", name: "sha256", reason: "it cannot be made: \(error.message)")
        }
    }

    /// Whether it is a whole certificate rather than a key.
    var isCertificate: Bool {
        if case .certificate = kind { true } else { false }
    }

    /// The pin of a public key by its hash.
    static func publicKey(sha256: Data) -> Pin { Pin(.publicKey(sha256: sha256)) }

    /// Refuses a literal that is no pin.
    package func check() throws(MalformedValue) {
        guard case .malformed(let text) = kind else { return }
        throw MalformedValue(kind: "pin", name: text, reason: "a pin is sha256/ and the Base64 of 32 bytes")
    }
}

extension Pin: CustomStringConvertible {
    /// The pin as it is written; of a certificate, how long it is.
    public var description: String {
        switch kind {
        case .publicKey(let hash): "sha256/\(hash.base64EncodedString())"
        case .certificate(let der): "a certificate of \(der.count) bytes"
        case .malformed(let text): HTTPSyntax.printable(text)
        }
    }
}
