/// The grammar of `User-Agent` (RFC 9110, sections 5.6 and 10.1.5).
enum UserAgentSyntax {
    /// Whether the text is a product followed by products and comments.
    static func isUserAgent(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        guard takeProduct(&rest) else { return false }
        while !rest.isEmpty {
            guard takeBlanks(&rest) else { return false }
            guard rest.first == UInt8(ascii: "(") ? takeComment(&rest) : takeProduct(&rest) else { return false }
        }
        return true
    }

    static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

    /// The text with a hyphen for each run of what a token cannot hold; `nil` if nothing else is left.
    static func token(_ text: String) -> String? {
        let words = text.utf8.split { !isTokenByte($0) }
        return words.isEmpty ? nil : words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }

    private static func takeProduct(_ rest: inout Substring.UTF8View) -> Bool {
        guard takeToken(&rest) else { return false }
        guard rest.first == UInt8(ascii: "/") else { return true }
        rest.removeFirst()
        return takeToken(&rest)
    }

    private static func takeToken(_ rest: inout Substring.UTF8View) -> Bool {
        let token = rest.prefix(while: isTokenByte)
        rest = rest[token.endIndex...]
        return !token.isEmpty
    }

    private static func takeBlanks(_ rest: inout Substring.UTF8View) -> Bool {
        let blanks = rest.prefix { isBlank($0) }
        rest = rest[blanks.endIndex...]
        return !blanks.isEmpty
    }

    /// A comment, with comments inside.
    private static func takeComment(_ rest: inout Substring.UTF8View) -> Bool {
        var depth = 0
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\\"): guard let escaped = rest.popFirst(), isText(escaped) else { return false }
            default: guard isText(byte) else { return false }
            }
            if depth == 0 { return true }
        }
        return false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isText(_ byte: UInt8) -> Bool { isBlank(byte) || byte > 0x20 && byte != 0x7F }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: signs.contains(byte)
        }
    }

    private static let signs = Array("!#$%&'*+-.^_`|~".utf8)
}
