public import Foundation

/// An X.509 certificate (RFC 5280), as bytes: to be trusted, or to be pinned.
public struct Certificate: Sendable, Hashable {
    /// The certificate in DER.
    public let der: Data

    /// Creates a certificate from its DER form. Whether it is one shows when it is used.
    public init(der: Data) { self.der = der }

    /// Reads all certificates of a PEM text (RFC 7468); what stands between them is skipped, keys included.
    ///
    /// - Throws: ``MalformedValue`` if there is none, or one is damaged.
    public static func list(pem text: String) throws(MalformedValue) -> [Certificate] {
        var certificates: [Certificate] = []
        var rest = text[...]
        while let begin = rest.range(of: "-----BEGIN CERTIFICATE-----") {
            guard let end = rest[begin.upperBound...].range(of: "-----END CERTIFICATE-----"),
                let der = Data(base64Encoded: rest[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace }),
                !der.isEmpty
            else {
                throw MalformedValue(
                    kind: "certificate",
                    name: "number \(certificates.count + 1)",
                    reason: "PEM is Base64 between a line of BEGIN and one of END (RFC 7468)"
                )
            }
            certificates.append(Certificate(der: der))
            rest = rest[end.upperBound...]
        }
        guard !certificates.isEmpty else {
            throw MalformedValue(kind: "certificate", name: "PEM", reason: "the text holds no certificate (RFC 7468)")
        }
        return certificates
    }

    /// Reads the certificates of a file: all of a PEM file, or the one of a DER file.
    ///
    /// - Throws: ``MalformedValue`` for what is neither, and what Foundation throws if the file cannot be read.
    public static func list(contentsOf file: URL) throws -> [Certificate] {
        let data = try Data(contentsOf: file)
        // A certificate in DER is a SEQUENCE, which no text begins with.
        if data.first == 0x30 { return [Certificate(der: data)] }
        return try list(pem: String(decoding: data, as: UTF8.self))
    }
}
