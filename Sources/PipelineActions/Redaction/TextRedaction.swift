import Foundation

/// Takes secrets out of texts of any kind, by the names before them: query items and forms, JSON that is cut off or damaged,
/// headers, XML, HTML.
///
/// It reads once from front to back. Where it cannot tell how far a secret goes, it takes too much rather than too little: a
/// value whose end was cut off is taken to the end.
struct TextRedaction {
    private let names: SecretNames
    private let depth: Int

    /// - Parameter depth: How many percent-encodings were undone to get at the text.
    init(_ names: SecretNames, depth: Int = 0) {
        self.names = names
        self.depth = depth
    }

    /// The text without its secrets.
    ///
    /// - Parameters:
    ///   - text: A text, or the beginning of one.
    ///   - isWhole: Whether the end is there.
    func redacted(_ text: String, isWhole: Bool = true) -> String {
        guard Self.canHoldSecret(text) else { return text }
        var scan = TextScan(Array(text.utf8), names: names, isWhole: isWhole, depth: depth)
        let plain = scan.run() ? String(decoding: scan.output, as: UTF8.self) : text
        // What was written for a page or a script hides the signs by which names and values are told.
        guard depth < Self.deepest, let decoded = MarkupText.decoded(plain) else { return plain }
        let redacted = TextRedaction(names, depth: depth + 1).redacted(decoded, isWhole: isWhole)
        return redacted == decoded ? plain : redacted
    }

    /// How many encodings are undone, one around the other.
    static let deepest = 3

    /// Whether there is anything in a text without which no secret is found: a sign between a name and its value, a space
    /// behind the scheme of a credential, an encoding, the beginning of a web token or a key. Most texts are short and have
    /// none of these.
    static func canHoldSecret(_ text: some StringProtocol) -> Bool {
        var dashes = 0
        var before: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: "%"), UInt8(ascii: "&"),
                UInt8(ascii: "\\"), 0x20, 0x09:
                return true
            case UInt8(ascii: "J") where before == (UInt8(ascii: "e"), UInt8(ascii: "y")): return true
            default: break
            }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
            if dashes == 5 { return true }
            before = (before.1, byte)
        }
        return false
    }
}
