import Foundation

/// One reading of a JSON text.
struct JSONScan {
    enum Stop: Error {
        case endOfInput
        case malformed
    }

    private let bytes: [UInt8]
    private let names: SecretNames?
    private let isPretty: Bool
    private var place = 0
    private var depth = 0
    private(set) var output: [UInt8] = []
    /// Where the member or element began that was read last, here and in the output.
    private(set) var entry = (place: 0, output: 0)
    /// Whether it is a secret, and stays one if the rest makes no sense.
    private(set) var isInSecret = false

    /// Deeper than any document for people, and shallow enough for the stack of a thread.
    private static let maximumDepth = 64

    init(_ bytes: [UInt8], names: SecretNames?, layout: JSONRedaction.Layout) {
        self.bytes = bytes
        self.names = names
        isPretty = layout == .pretty
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0  // A byte order mark.
    }

    mutating func readDocument() throws(Stop) {
        try skipSpace()
        try readValue()
        while place < bytes.count {
            guard Self.isSpace(bytes[place]) else { throw .malformed }
            skip(1)
        }
    }

    private mutating func readValue() throws(Stop) {
        switch try next() {
        case UInt8(ascii: "{"): try readMembers()
        case UInt8(ascii: "["): try readElements()
        case UInt8(ascii: "\""): try readText()
        default: try readLiteral()
        }
    }

    private mutating func readMembers() throws(Stop) {
        try readList(closedBy: UInt8(ascii: "}")) { (scan) throws(Stop) in
            guard try scan.next() == UInt8(ascii: "\"") else { throw .malformed }
            let name = try scan.textRange()
            scan.output += scan.bytes[name]
            let isSecret = scan.isSecret(scan.bytes[name])
            try scan.skipSpace()
            guard try scan.next() == UInt8(ascii: ":") else { throw .malformed }
            scan.copy(1)
            if scan.isPretty { scan.output.append(0x20) }
            try scan.skipSpace()
            if isSecret { try scan.readSecret() } else { try scan.readValue() }
        }
    }

    private mutating func readElements() throws(Stop) {
        try readList(closedBy: UInt8(ascii: "]")) { (scan) throws(Stop) in try scan.readValue() }
    }

    private mutating func readList(
        closedBy close: UInt8,
        _ readItem: (inout JSONScan) throws(Stop) -> Void
    ) throws(Stop) {
        guard depth < Self.maximumDepth else { throw .malformed }
        depth += 1
        copy(1)
        try skipSpace()
        if try next() == close {
            depth -= 1
            return copy(1)
        }
        while true {
            breakLine()
            entry = (place, output.count)
            try readItem(&self)
            try skipSpace()
            switch try next() {
            case UInt8(ascii: ","):
                copy(1)
                try skipSpace()
            case close:
                depth -= 1
                breakLine()
                return copy(1)
            default:
                throw .malformed
            }
        }
    }

    /// A text that is no secret by its name. It can still hold one: an address with a password, JSON inside JSON.
    private mutating func readText() throws(Stop) {
        let range: Range<Int>
        do {
            range = try textRange()
        } catch {
            guard case .endOfInput = error else { throw error }
            // What is there of a text that was cut off, up to its last whole character.
            let rest = bytes[place...]
            output.append(UInt8(ascii: "\""))
            let text = decoded(rest, isCutOff: true)
            output += Self.encoded(names.map { TextRedaction($0).redacted(text, isWhole: false) } ?? text).dropFirst()
                .dropLast()
            place = bytes.count
            throw error
        }
        guard let names else { return output += bytes[range] }
        let text = decoded(bytes[range], isCutOff: false)
        let redacted = TextRedaction(names).redacted(text)
        output += redacted == text ? Array(bytes[range]) : Self.encoded(redacted)
    }

    private mutating func readLiteral() throws(Stop) {
        let literal = bytes[place...].prefix(while: Self.isLiteralByte)
        guard !literal.isEmpty else { throw .malformed }
        output += literal
        place = literal.endIndex
        // A number that ends with the input may go on; that makes no difference to anyone but a secret.
        guard Self.isNothing(literal) || Self.isNumber(literal) else {
            throw place == bytes.count ? .endOfInput : .malformed
        }
    }

    /// A value that must not show. Truth values are no secrets, nor is that there is nothing.
    private mutating func readSecret() throws(Stop) {
        let literal = bytes[place...].prefix(while: Self.isLiteralByte)
        if Self.isNothing(literal), literal.endIndex < bytes.count {
            output += literal
            place = literal.endIndex
            return
        }
        output += Self.encoded(RedactionPolicy.mark)
        // What follows is read like any other value, and forgotten.
        let (end, member, isWithinSecret) = (output.count, entry, isInSecret)
        defer { output.removeSubrange(end...) }
        isInSecret = true
        try readValue()
        isInSecret = isWithinSecret
        entry = member  // Not what was inside.
    }

    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        guard let names else { return false }
        return names.contains(decoded(name, isCutOff: false))
    }

    // MARK: Texts

    /// The text that begins here with its quotation marks; the place moves behind it.
    private mutating func textRange() throws(Stop) -> Range<Int> {
        var end = place + 1
        while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "\""):
                defer { place = end + 1 }
                return place..<(end + 1)
            case UInt8(ascii: "\\"): end += 2
            case 0..<0x20: throw .malformed
            default: end += 1
            }
        }
        throw .endOfInput
    }

    /// What a text says, escapes resolved; as it stands if they cannot be.
    private func decoded(_ quoted: ArraySlice<UInt8>, isCutOff: Bool) -> String {
        var content = quoted.dropFirst()
        if isCutOff {
            // The last escape can be cut in two: it is left out, with its seven bytes at most.
            if let escape = content.suffix(6).lastIndex(of: UInt8(ascii: "\\")) { content = content[..<escape] }
        } else {
            content = content.dropLast()
        }
        let text = String(decoding: content, as: UTF8.self)
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        let json = Data("\"\(text)\"".utf8)
        return (try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)) as? String ?? text
    }

    private static func encoded(_ text: String) -> [UInt8] { Array(JSONLinesFormat.quoted(text).utf8) }

    // MARK: Moving on

    private func next() throws(Stop) -> UInt8 {
        guard place < bytes.count else { throw .endOfInput }
        return bytes[place]
    }

    private mutating func copy(_ count: Int) {
        output += bytes[place..<(place + count)]
        place += count
    }

    private mutating func skip(_ count: Int) {
        if isPretty { place += count } else { copy(count) }
    }

    private mutating func skipSpace() throws(Stop) {
        while Self.isSpace(try next()) { skip(1) }
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        output.append(0x0A)
        output += repeatElement(0x20, count: 2 * depth)
    }

    // MARK: Bytes

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isNothing(_ literal: ArraySlice<UInt8>) -> Bool {
        ["null", "true", "false"].contains { literal.elementsEqual($0.utf8) }
    }

    private static func isNumber(_ literal: ArraySlice<UInt8>) -> Bool {
        guard let first = literal.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return false
        }
        return literal.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    }
}
