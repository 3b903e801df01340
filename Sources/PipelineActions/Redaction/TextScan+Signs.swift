import Foundation

/// What tells a secret, and how far it goes.
extension TextScan {
    /// A credential after the name of its scheme: `Bearer abc.def`.
    func credential(after scheme: String, at end: Int) -> Range<Int>? {
        guard end < bytes.count, Self.isBlank(bytes[end]), Self.schemes.contains(scheme.lowercased()) else {
            return nil
        }
        let start = skipBlanks(from: end)
        let token = bytes[start...].prefix { Self.isNameByte($0) || [0x2B, 0x2F, 0x3D, 0x7E].contains($0) }
        let next = token.endIndex < bytes.count ? bytes[token.endIndex] : 0
        guard token.count >= 6, !Self.isQuote(next) else { return nil }
        // A word of a sentence has letters only.
        let isWord = token.dropLast().allSatisfy(Self.isLetter) && token.count < 20
        return isWord ? nil : start..<token.endIndex
    }

    private static let schemes: Set<String> = ["bearer", "basic", "negotiate", "dpop"]

    /// A JSON web token (RFC 7519): `eyJ` is how an encoded `{"` begins.
    func isWebToken(_ word: String) -> Bool {
        word.hasPrefix("eyJ") && word.utf8.count >= 20
    }

    /// Whether the word is percent-encoded, and holds a name and its value. What is encoded again and again is not followed
    /// for ever, and taken for a secret.
    func hidesSecret(_ word: String) -> Bool {
        guard let plain = word.percentDecoded else { return false }
        return depth == TextRedaction.deepest || TextRedaction(names, depth: depth + 1).redacted(plain) != plain
    }

    func isTag(startingAt start: Int) -> Bool {
        // The prefix of a namespace is short.
        let limit = max(0, start - 64)
        var before = start - 1
        while before >= limit, Self.isNameByte(bytes[before]) || bytes[before] == UInt8(ascii: ":") { before -= 1 }
        return before >= limit && bytes[before] == UInt8(ascii: "<")
    }

    /// Whether a name stands where names stand: first in a line, a list item, an object, a quotation.
    func beginsEntry(at start: Int) -> Bool {
        var before = start - 1
        while before >= 0, Self.isBlank(bytes[before]) || bytes[before] == UInt8(ascii: "-") { before -= 1 }
        return before < 0 || Self.isLineEnd(bytes[before]) || Self.isQuote(bytes[before])
            || "{,(".utf8.contains(bytes[before])
    }

    /// The word that begins here, with the escapes of JSON resolved, and its end.
    func word(at start: Int) -> (String, end: Int) {
        var end = start
        while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
        var word = bytes[start..<end]
        if escapedScalar(at: end) == nil { return (String(decoding: word, as: UTF8.self), end) }
        while end < bytes.count {
            if Self.isNameByte(bytes[end]) {
                word.append(bytes[end])
                end += 1
            } else if let scalar = escapedScalar(at: end) {
                word += String(scalar).utf8
                end += 6
            } else {
                break
            }
        }
        return (String(decoding: word, as: UTF8.self), end)
    }

    /// `\u0061`
    func escapedScalar(at place: Int) -> Unicode.Scalar? {
        guard place + 6 <= bytes.count, bytes[place...].starts(with: "\\u".utf8) else { return nil }
        let digits = String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self)
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    }

    func endOfQuotation(_ quote: UInt8, escapes: Int, from start: Int) -> Int {
        var place = start
        var backslashes = 0
        while place < bytes.count {
            if bytes[place] == quote {
                // In a quotation that is itself inside one, a quotation mark without backslashes ends both.
                if escapes > 0, backslashes == escapes || backslashes == 0 { return place - backslashes }
                if escapes == 0, backslashes.isMultiple(of: 2) { return place }
            }
            backslashes = bytes[place] == UInt8(ascii: "\\") ? backslashes + 1 : 0
            place += 1
        }
        return bytes.count
    }

    func endOfBrackets(from start: Int) -> Int {
        var depth = 0
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: "\""):
                place = endOfQuotation(UInt8(ascii: "\""), escapes: 0, from: place + 1)
            default: break
            }
            place += 1
        }
        return bytes.count
    }

    // MARK: Bytes

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: "_-.[]%$".utf8.contains(byte)
        }
    }

    static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) || isLineEnd(byte) }

    static func endsValue(_ byte: UInt8) -> Bool {
        isSpace(byte) || isQuote(byte) || "&;<>".utf8.contains(byte)
    }

    static func endsAuthority(_ byte: UInt8) -> Bool {
        isSpace(byte) || isQuote(byte) || "/?#<>\\".utf8.contains(byte)
    }
}
