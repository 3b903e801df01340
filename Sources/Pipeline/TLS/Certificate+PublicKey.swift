public import Foundation

extension Certificate {
    /// The SHA-256 of the certificate, as tools print it: pairs of hexadecimal digits with colons between.
    ///
    /// - Throws: ``NetworkError`` `hash-unavailable` if the system has no SHA-256.
    public func fingerprint() throws(NetworkError) -> String {
        try MessageDigest.digest(of: der, .sha256)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            .joined(separator: ":")
    }

    /// The public key: its SubjectPublicKeyInfo in DER (RFC 5280, section 4.1.2.7), which is what pins of keys are hashes of.
    ///
    /// - Throws: ``MalformedValue`` if this is no certificate.
    public func publicKey() throws(MalformedValue) -> Data {
        // Certificate ::= SEQUENCE { tbsCertificate SEQUENCE { version [0], serialNumber, signature, issuer, validity, subject,
        // subjectPublicKeyInfo, … }, signatureAlgorithm, signatureValue } (section 4.1). Version 1 leaves the version out.
        let sequence: UInt8 = 0x30
        let version: UInt8 = 0xA0
        var file = DERReader(Array(der)[...])
        guard let certificate = file.next(sequence), file.isAtEnd else { throw Self.malformed }
        var parts = DERReader(certificate.content)
        guard let signed = parts.next(sequence) else { throw Self.malformed }
        var fields = DERReader(signed.content)
        if fields.nextTag == version { _ = fields.next(version) }
        guard fields.next(0x02) != nil, fields.next(sequence) != nil, fields.next(sequence) != nil,
            fields.next(sequence) != nil, fields.next(sequence) != nil, let key = fields.next(sequence)
        else { throw Self.malformed }
        return Data(key.whole)
    }

    private static var malformed: MalformedValue {
        MalformedValue(
            kind: "certificate",
            name: "DER",
            reason: "it does not have the parts of one (RFC 5280, section 4.1)"
        )
    }
}

/// Reads values of DER one after the other (ITU-T X.690, section 8.1).
private struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    var nextTag: UInt8? { rest.first }

    /// Takes the next value if it has a tag.
    mutating func next(_ tag: UInt8) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
        guard rest.count >= 2, rest.first == tag else { return nil }
        var content = rest.dropFirst(2)
        var length = Int(rest[rest.startIndex + 1])
        if length >= 0x80 {
            // The number of bytes that the length takes; no certificate needs more than four, and none is without an end.
            let count = length - 0x80
            guard (1...4).contains(count), content.count >= count else { return nil }
            length = content.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            content = content.dropFirst(count)
        }
        guard content.count >= length else { return nil }
        content = content.prefix(length)
        defer { rest = rest[content.endIndex...] }
        return (rest[..<content.endIndex], content)
    }
}
