/// Reads the parts that field values are made of (RFC 9110, section 5.6), from left to right.
struct FieldScanner {
    private let bytes: [UInt8]
    private var place = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// The byte that is next; `nil` at the end.
    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Takes a byte if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        while let next, Self.isBlank(next) { place += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Takes what stands before any of these bytes, without blanks around it.
    mutating func text(before ends: String) -> String {
        skipBlanks()
        let start = place
        while let next, !ends.utf8.contains(next) { place += 1 }
        let text = bytes[start..<place]
        let end = text.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: text[..<end], as: UTF8.self)
    }

    /// Takes a quoted string, without its quotation marks and escapes; `nil` if it has no end.
    mutating func quotedString() -> String? {
        var content: [UInt8] = []
        guard take(UInt8(ascii: "\"")) else { return nil }
        while var byte = next {
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return nil }
                place += 1
                byte = escaped
            }
            content.append(byte)
        }
        return nil
    }

    /// Takes the parameters that are next, each behind a semicolon. Values may be quoted, and there may be none; names are made
    /// lower-case.
    ///
    /// - Returns: The parameters; `nil` if a quoted value has no end, or is followed by what is neither a semicolon, nor a comma,
    ///   nor the end.
    mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        skipBlanks()
        while take(UInt8(ascii: ";")) {
            let name = text(before: "=;,").lowercased()
            var value = ""
            if take(UInt8(ascii: "=")) {
                skipBlanks()
                if next == UInt8(ascii: "\"") {
                    guard let quoted = quotedString() else { return nil }
                    value = quoted
                } else {
                    value = text(before: ";,")
                }
            }
            if !name.isEmpty { parameters.append((name, value)) }
            skipBlanks()
        }
        return next == nil || next == UInt8(ascii: ",") ? parameters : nil
    }
}
