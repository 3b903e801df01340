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
        var scan = TextScan(Array(text.utf8), names: names, isWhole: isWhole, depth: depth)
        return scan.run() ? String(decoding: scan.output, as: UTF8.self) : text
    }
}
