import Foundation

/// Takes secrets out of texts of any kind, by the names before them: query items and forms, JSON that is cut off or damaged,
/// headers, XML, HTML.
///
/// It reads once from front to back. Where it cannot tell how far a secret goes, it takes too much rather than too little: a
/// value whose end was cut off is taken to the end.
struct TextRedaction {
    private let names: SecretNames

    init(_ names: SecretNames) { self.names = names }

    /// The text without its secrets.
    ///
    /// - Parameters:
    ///   - text: A text, or the beginning of one.
    ///   - isWhole: Whether the end is there.
    func redacted(_ text: String, isWhole: Bool = true) -> String {
        var scan = TextScan(Array(text.utf8), names: names, isWhole: isWhole)
        return scan.run() ? String(decoding: scan.output, as: UTF8.self) : text
    }
}

/// One reading of a text.
private struct TextScan {
    private let bytes: [UInt8]
    private let names: SecretNames
    private let isWhole: Bool
    private var place = 0
    private var hasFound = false
    private(set) var output: [UInt8] = []

    init(_ bytes: [UInt8], names: SecretNames, isWhole: Bool) {
        self.bytes = bytes
        self.names = names
        self.isWhole = isWhole
    }

    /// Reads the text.
    ///
    /// - Returns: Whether there was a secret.
    mutating func run() -> Bool {
        output.reserveCapacity(bytes.count)
        while place < bytes.count {
            let byte = bytes[place]
            if Self.isNameByte(byte), byte != UInt8(ascii: "-"), byte != UInt8(ascii: ".") {
                readWord()
            } else if byte == UInt8(ascii: "/"), starts(with: "//"), place > 0, bytes[place - 1] == UInt8(ascii: ":") {
                readAuthority()
            } else if byte == UInt8(ascii: "<"), starts(with: "<input") || starts(with: "<meta") {
                readFormElement()
            } else if byte == UInt8(ascii: "-"), starts(with: "-----BEGIN ") {
                readKey()
            } else {
                copy(1)
            }
        }
        return hasFound
    }

    // MARK: What can hold a secret

    /// A word, and what follows it if it is the name of a secret.
    private mutating func readWord() {
        let start = place
        let (word, end) = word(at: start)
        if isWebToken(word) || hidesSecret(word) { return replace(upTo: end) }
        if let token = credential(after: word, at: end) {
            copy(token.lowerBound - place)
            return replace(upTo: token.upperBound)
        }
        copy(end - start)
        guard names.contains(word.percentDecoded ?? word) else { return }
        if isTag(startingAt: start) {
            readElement(named: bytes[start..<end])
        } else {
            readValue(ofNameAt: start)
        }
    }

    /// The value after a name: `name=value`, `"name": value`, `name: "value"`, and `name: value` where that is no part of a
    /// sentence.
    private mutating func readValue(ofNameAt start: Int) {
        var next = place
        while next < bytes.count, bytes[next] == UInt8(ascii: "\\") { next += 1 }
        let isQuoted = next < bytes.count && Self.isQuote(bytes[next])
        next = isQuoted ? next + 1 : place
        next = skipBlanks(from: next)
        guard next < bytes.count else { return }
        switch bytes[next] {
        case UInt8(ascii: "="): break
        case UInt8(ascii: ":"):
            let value = skipBlanks(from: next + 1)
            let hasQuotation = value < bytes.count && Self.isQuote(bytes[value])
            guard isQuoted || hasQuotation || beginsEntry(at: start) else { return }
        default: return
        }
        next += 1
        if next < bytes.count, bytes[next] == UInt8(ascii: ">") { next += 1 }  // name=>value
        next = isQuoted ? skipSpace(from: next) : skipBlanks(from: next)
        guard next < bytes.count else { return }
        let isLine = !isQuoted && bytes[..<next].last { !Self.isBlank($0) } == UInt8(ascii: ":")
        copy(next - place)
        takeValue(toEndOfLine: isLine)
    }

    private mutating func takeValue(toEndOfLine: Bool) {
        let start = place
        var open = start
        while open < bytes.count, bytes[open] == UInt8(ascii: "\\") { open += 1 }
        if open < bytes.count, Self.isQuote(bytes[open]) {
            let close = endOfQuotation(bytes[open], escapes: open - start, from: open + 1)
            copy(open + 1 - start)
            return replace(upTo: close)
        }
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            replace(upTo: endOfBrackets(from: start))
        default:
            let end =
                bytes[start...].firstIndex { byte in
                    toEndOfLine ? Self.isLineEnd(byte) : Self.endsValue(byte)
                } ?? bytes.count
            let value = bytes[start..<end]
            let isNothing = value.isEmpty || ["null", "true", "false"].contains { value.elementsEqual($0.utf8) }
            // A literal that was cut off is not known to be one.
            if isNothing, end < bytes.count || value.isEmpty { copy(end - start) } else { replace(upTo: end) }
        }
    }

    /// The content and the attributes of an XML element.
    private mutating func readElement(named name: ArraySlice<UInt8>) {
        guard let tagEnd = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else { return replace(upTo: bytes.count) }
        if bytes[place..<tagEnd].contains(UInt8(ascii: "=")) { replace(upTo: tagEnd) }
        copy(tagEnd + 1 - place)
        if bytes[tagEnd - 1] == UInt8(ascii: "/") { return }
        var end = place
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: "<"), end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "/") {
                let closing = bytes[(end + 2)...].prefix { $0 != UInt8(ascii: ">") }
                let local = closing.split(separator: UInt8(ascii: ":")).last ?? []
                if local.prefix(while: { !Self.isSpace($0) }).elementsEqual(name) { break }
            }
            end += 1
        }
        if end > place { replace(upTo: end) }
    }

    /// A field of an HTML form, or a value for scripts, whose name is one of its attributes.
    private mutating func readFormElement() {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
        let attributes = String(decoding: bytes[place..<end], as: UTF8.self)
        let words = attributes.split { "\"'= \n\r\t".contains($0) }
        guard words.contains(where: { names.contains(String($0)) }) else { return copy(1) }
        copy(6)
        replace(upTo: end)
    }

    /// User and password in a URL.
    private mutating func readAuthority() {
        copy(2)
        let end = bytes[place...].firstIndex { Self.endsAuthority($0) } ?? bytes.count
        let authority = bytes[place..<end]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            replace(upTo: at)
        } else if end == bytes.count, !isWhole || !hasPort(authority) {
            replace(upTo: end)  // It can be a password whose `@` was cut off.
        }
    }

    /// Whether what follows a colon, if there is one, can be the number of a port.
    private func hasPort(_ authority: ArraySlice<UInt8>) -> Bool {
        guard authority.first != UInt8(ascii: "["), let colon = authority.firstIndex(of: UInt8(ascii: ":")) else {
            return true
        }
        return authority[(colon + 1)...].allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A private key as files have it (RFC 7468).
    private mutating func readKey() {
        let line = bytes[place...].prefix { !Self.isLineEnd($0) && $0 != UInt8(ascii: "\\") }
        copy(line.count)
        guard String(decoding: line, as: UTF8.self).contains("PRIVATE KEY") else { return }
        let mark = Array("-----END".utf8)
        var end = place
        while end < bytes.count, !bytes[end...].starts(with: mark) { end += 1 }
        replace(upTo: end)
    }

    // MARK: Recognising

    /// A credential after the name of its scheme: `Bearer abc.def`.
    private func credential(after scheme: String, at end: Int) -> Range<Int>? {
        guard ["bearer", "basic", "negotiate", "dpop"].contains(scheme.lowercased()) else { return nil }
        let start = skipBlanks(from: end)
        guard start > end else { return nil }
        let token = bytes[start...].prefix { Self.isNameByte($0) || [0x2B, 0x2F, 0x3D, 0x7E].contains($0) }
        let next = token.endIndex < bytes.count ? bytes[token.endIndex] : 0
        guard token.count >= 6, !Self.isQuote(next) else { return nil }
        // A word of a sentence has letters only.
        let isWord = token.dropLast().allSatisfy(Self.isLetter) && token.count < 20
        return isWord ? nil : start..<token.endIndex
    }

    /// A JSON web token (RFC 7519): `eyJ` is how an encoded `{"` begins.
    private func isWebToken(_ word: String) -> Bool {
        word.hasPrefix("eyJ") && word.utf8.count >= 20
    }

    /// Whether the word is percent-encoded, and holds a name and its value.
    private func hidesSecret(_ word: String) -> Bool {
        guard let plain = word.percentDecoded else { return false }
        return TextRedaction(names).redacted(plain) != plain
    }

    private func isTag(startingAt start: Int) -> Bool {
        var before = start - 1
        while before >= 0, Self.isNameByte(bytes[before]) || bytes[before] == UInt8(ascii: ":") { before -= 1 }
        return before >= 0 && bytes[before] == UInt8(ascii: "<")
    }

    /// Whether a name stands where names stand: first in a line, a list item, an object, a quotation.
    private func beginsEntry(at start: Int) -> Bool {
        var before = start - 1
        while before >= 0, Self.isBlank(bytes[before]) || bytes[before] == UInt8(ascii: "-") { before -= 1 }
        return before < 0 || Self.isLineEnd(bytes[before]) || Self.isQuote(bytes[before])
            || "{,(".utf8.contains(bytes[before])
    }

    /// The word that begins here, with the escapes of JSON resolved, and its end.
    private func word(at start: Int) -> (String, end: Int) {
        var word: [UInt8] = []
        var end = start
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
    private func escapedScalar(at place: Int) -> Unicode.Scalar? {
        guard place + 6 <= bytes.count, bytes[place...].starts(with: "\\u".utf8) else { return nil }
        let digits = String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self)
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    }

    private func endOfQuotation(_ quote: UInt8, escapes: Int, from start: Int) -> Int {
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

    private func endOfBrackets(from start: Int) -> Int {
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

    // MARK: Moving on

    private mutating func copy(_ count: Int) {
        let end = min(bytes.count, place + count)
        output += bytes[place..<end]
        place = end
    }

    private mutating func replace(upTo end: Int) {
        if end > place {
            output += RedactionPolicy.mark.utf8
            hasFound = true
        }
        place = min(bytes.count, max(end, place))
    }

    private func skipBlanks(from start: Int) -> Int {
        bytes[start...].firstIndex { !Self.isBlank($0) } ?? bytes.count
    }

    private func skipSpace(from start: Int) -> Int {
        bytes[start...].firstIndex { !Self.isSpace($0) } ?? bytes.count
    }

    private func starts(with text: String) -> Bool {
        zip(bytes[place...], text.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
            && bytes.count - place >= text.utf8.count
    }

    // MARK: Bytes

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: "_-.[]%$".utf8.contains(byte)
        }
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) || isLineEnd(byte) }

    private static func endsValue(_ byte: UInt8) -> Bool {
        isSpace(byte) || isQuote(byte) || "&;<>".utf8.contains(byte)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        isSpace(byte) || isQuote(byte) || "/?#<>\\".utf8.contains(byte)
    }
}
