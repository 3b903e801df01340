import Foundation

/// One reading of a text.
struct TextScan {
    let bytes: [UInt8]
    let names: SecretNames
    private let isWhole: Bool
    let depth: Int
    private var place = 0
    /// Where what was not put out yet begins; nothing is as long as there was no secret.
    private var pending = 0
    private var hasFound = false
    private(set) var output: [UInt8] = []

    init(_ bytes: [UInt8], names: SecretNames, isWhole: Bool, depth: Int) {
        self.bytes = bytes
        self.names = names
        self.isWhole = isWhole
        self.depth = depth
    }

    /// Reads the text.
    ///
    /// - Returns: Whether there was a secret.
    mutating func run() -> Bool {
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
        if hasFound { output += bytes[pending...] }
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
        let isTag = isTag(startingAt: start)
        // Most words are no names, and need not be looked up.
        guard isTag || sign(after: end) != nil, names.contains(word.percentDecoded ?? word) else { return }
        if isTag {
            readElement(named: bytes[start..<end])
        } else {
            readValue(ofNameAt: start)
        }
    }

    /// The sign between a name that ends here and its value, and whether the name is quoted.
    private func sign(after end: Int) -> (place: Int, isQuoted: Bool)? {
        var next = end
        while next < bytes.count, bytes[next] == UInt8(ascii: "\\") { next += 1 }
        let isQuoted = next < bytes.count && Self.isQuote(bytes[next])
        next = skipBlanks(from: isQuoted ? next + 1 : end)
        guard next < bytes.count, bytes[next] == UInt8(ascii: "=") || bytes[next] == UInt8(ascii: ":") else {
            return nil
        }
        return (next, isQuoted)
    }

    /// The value after a name: `name=value`, `"name": value`, `name: "value"`, and `name: value` where that is no part of a
    /// sentence.
    private mutating func readValue(ofNameAt start: Int) {
        guard let (sign, isQuoted) = sign(after: place) else { return }
        if bytes[sign] == UInt8(ascii: ":") {
            let value = skipBlanks(from: sign + 1)
            let hasQuotation = value < bytes.count && Self.isQuote(bytes[value])
            guard isQuoted || hasQuotation || beginsEntry(at: start) else { return }
        }
        var next = sign + 1
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
                // The prefix of a namespace is short.
                let closing = bytes[(end + 2)...].prefix(name.count + 64).prefix { !"<>".utf8.contains($0) }
                let local = closing.split(separator: UInt8(ascii: ":")).last ?? []
                if local.prefix(while: { !Self.isSpace($0) }).elementsEqual(name) { break }
            }
            end += 1
        }
        if end > place { replace(upTo: end) }
    }

    /// A field of an HTML form, or a value for scripts, whose name is one of its attributes.
    private mutating func readFormElement() {
        // One that was never closed ends where the next begins.
        let end = bytes[(place + 1)...].firstIndex { "<>".utf8.contains($0) } ?? bytes.count
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

    // MARK: Moving on

    private mutating func copy(_ count: Int) { place = min(bytes.count, place + count) }

    private mutating func replace(upTo end: Int) {
        guard end > place else { return }
        output += bytes[pending..<place]
        output += RedactionPolicy.mark.utf8
        hasFound = true
        place = min(bytes.count, end)
        pending = place
    }

    func skipBlanks(from start: Int) -> Int {
        bytes[start...].firstIndex { !Self.isBlank($0) } ?? bytes.count
    }

    func skipSpace(from start: Int) -> Int {
        bytes[start...].firstIndex { !Self.isSpace($0) } ?? bytes.count
    }

    private func starts(with text: String) -> Bool {
        zip(bytes[place...], text.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
            && bytes.count - place >= text.utf8.count
    }
}
