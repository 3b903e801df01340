import Foundation

/// What kind of content a body is, by its `Content-Type` (RFC 9110, section 8.3) and by its bytes.
struct MediaType {
    /// Type and subtype in lower case, without parameters; empty if nobody said.
    let name: String
    private let field: String

    init(_ field: String?) {
        self.field = field ?? ""
        name = String(self.field.unicodeScalars.prefix { $0 != ";" }).trimmingCharacters(in: .whitespaces).lowercased()
    }

    var isForm: Bool { name == "application/x-www-form-urlencoded" }

    var isMultipart: Bool { name.hasPrefix("multipart/") }

    /// Whether the content can be text, as far as the type tells.
    var canBeText: Bool {
        if name.isEmpty || name.hasPrefix("text/") || name.hasSuffix("+json") || name.hasSuffix("+xml") { return true }
        return Self.texts.contains(name) || name.hasSuffix("json") || name.hasSuffix("xml") || name.hasSuffix("yaml")
    }

    private static let texts: Set<String> = [
        "application/x-www-form-urlencoded", "application/javascript", "application/ecmascript", "application/graphql",
        "application/sql", "application/x-ndjson", "application/jwt", "application/x-sh", "application/toml",
    ]

    /// The boundary between the parts of a multipart body (RFC 2046, section 5.1.1).
    var boundary: String? {
        for parameter in field.unicodeScalars.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "boundary" else {
                continue
            }
            let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
            return value.isEmpty ? nil : value
        }
        return nil
    }

    /// The text of bytes, or `nil` if they are something else, whatever the type says.
    ///
    /// - Parameters:
    ///   - bytes: A body or its beginning.
    ///   - isWhole: Whether the end is there; if not, the last character can be cut in two.
    static func text(_ bytes: Data, isWhole: Bool) -> String? {
        var bytes = bytes
        if !isWhole {
            // A character has four bytes at most, the first of which says how many.
            for count in 1...4 where count <= bytes.count {
                let lead = bytes[bytes.endIndex - count]
                if lead & 0xC0 == 0x80 { continue }
                let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
                if length > count { bytes = bytes.dropLast(count) }
                break
            }
        }
        guard let text = String(strictUTF8: bytes) else { return nil }
        return text.utf8.contains { $0 < 0x20 && !Self.isOrdinary($0) } ? nil : text
    }

    /// Tab, line feed, form feed, carriage return, and the escape that colours a terminal.
    private static func isOrdinary(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains(byte) }
}

extension String {
    /// The text of bytes that are valid UTF-8, and of no others. What the standard library has for it needs newer systems.
    init?(strictUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
