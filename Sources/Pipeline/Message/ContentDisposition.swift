import Foundation

/// How a response is meant to be kept: the value of a `Content-Disposition` field (RFC 6266).
///
///     ContentDisposition(#"attachment; filename="rates.txt"; filename*=UTF-8''%e2%82%ac.txt"#)?.fileName    // "€.txt"
public struct ContentDisposition: Sendable, Hashable {
    /// The type, in lower case: `attachment` for what is to be saved, `inline` for what is to be shown.
    public let type: String

    /// The name that the server gives, as it gives it. It may hold a path or worse, so it is no place to write to; that is
    /// what ``fileName`` is for.
    public let givenName: String?

    /// The name made fit for a file: without the path in front of it, control characters and dots at its beginning; signs and
    /// names that Windows keeps to itself are changed, and a name longer than 255 bytes is cut in front of its extension.
    /// `nil` if there is none, or nothing is left of it.
    public var fileName: String? { givenName.flatMap(FileName.init(cleaning:))?.text }

    /// Reads the value of the field.
    ///
    /// `filename*` goes before `filename`, wherever it stands (RFC 6266, section 4.3), if it can be read: in UTF-8 or in
    /// ISO-8859-1 (RFC 8187, section 3.2).
    ///
    /// - Parameter field: The value as received.
    /// - Returns: `nil` if there is no type, a quoted value has no end, or a parameter comes twice.
    public init?(_ field: String) {
        var scanner = FieldScanner(field)
        type = scanner.text(before: ";").lowercased()
        guard HTTPSyntax.isToken(type), let parameters = scanner.parameters(),
            Set(parameters.map(\.name)).count == parameters.count
        else { return nil }
        func value(of name: String) -> String? { parameters.first { $0.name == name }?.value }
        givenName = value(of: "filename*").flatMap(Self.extendedValue) ?? value(of: "filename")
    }

    /// The text of `charset'language'percent-encoded` (RFC 8187, section 3.2).
    private static func extendedValue(_ value: String) -> String? {
        let parts = value.unicodeScalars.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = bytes(of: Substring(parts[2])) else { return nil }
        switch String(parts[0]).lowercased() {
        case "utf-8": return String(bytes: bytes, encoding: .utf8)
        case "iso-8859-1": return String(bytes: bytes, encoding: .isoLatin1)
        default: return nil
        }
    }

    private static func bytes(of text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            rest = rest.dropFirst(2)
            guard digits.count == 2, digits.allSatisfy({ $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }),
                let escaped = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(escaped)
        }
        return bytes
    }
}
