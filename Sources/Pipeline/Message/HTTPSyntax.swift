/// The grammar of RFC 9110 as far as a client must check it.
package enum HTTPSyntax {
    /// Whether the text is a token (RFC 9110, section 5.6.2): what methods and field names are made of.
    package static func isToken(_ text: String) -> Bool {
        text.withBytes { !$0.isEmpty && $0.allSatisfy(isTokenByte) }
    }

    /// Whether the text can be a method (RFC 9110, section 9.1).
    package static func isMethod(_ text: String) -> Bool { isToken(text) }

    /// Whether the byte is a decimal digit of ASCII.
    package static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether the text can be a field value as it is (RFC 9110, section 5.5): no control character but the tab, no space
    /// at either end. It may be empty, and may hold UTF-8 beyond ASCII.
    package static func isFieldValue(_ text: String) -> Bool {
        text.withBytes { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            return !isBlank(first) && !isBlank(last) && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == tab }
        }
    }

    /// The text with control characters escaped, so that it cannot break out of a line of a log or a terminal.
    package static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isControl(scalar) {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static let tab: UInt8 = 0x09

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == tab }

    /// C0, DEL, C1, and the characters that turn the direction of text or break lines.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
