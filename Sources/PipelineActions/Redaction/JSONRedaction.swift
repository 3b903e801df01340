import Foundation

/// Takes secrets out of JSON, or out of the beginning of a JSON text, and lays it out for people if asked to.
///
/// It reads the bytes and never builds the document: numbers keep their digits, names their order and repetitions. A name
/// comes before its value, so also of a text that was cut off in the middle of a secret nothing of that shows. From where a
/// text is no JSON it is read like any other text.
struct JSONRedaction {
    /// How the result is laid out.
    enum Layout {
        /// As it came.
        case verbatim
        /// A member on a line each.
        case pretty
    }

    /// `nil` where nothing is to be left out.
    private let names: SecretNames?

    init(_ names: SecretNames?) { self.names = names }

    /// The text without its secrets.
    ///
    /// - Parameters:
    ///   - text: A JSON text (RFC 8259), or its beginning.
    ///   - isWhole: Whether the end is there.
    ///   - layout: How the result is laid out.
    func redacted(_ text: String, isWhole: Bool, layout: Layout) -> String {
        var scan = JSONScan(Array(text.utf8), names: names, layout: layout)
        do throws(JSONScan.Stop) {
            try scan.readDocument()
        } catch {
            if case .malformed = error { return redactedRest(of: scan, in: text, isWhole: isWhole, layout: layout) }
        }
        return String(decoding: scan.output, as: UTF8.self)
    }

    private func redactedRest(of scan: JSONScan, in text: String, isWhole: Bool, layout: Layout) -> String {
        guard let names else { return text }
        if scan.isInSecret { return String(decoding: scan.output, as: UTF8.self) }
        // The value whose name was read last is read again, with its name.
        let start = String(decoding: scan.output[..<scan.entry.output], as: UTF8.self)
        let rest = String(decoding: text.utf8.dropFirst(scan.entry.place), as: UTF8.self)
        return start + TextRedaction(names).redacted(rest, isWhole: isWhole)
    }
}
