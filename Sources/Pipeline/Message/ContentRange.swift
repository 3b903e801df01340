/// Which part of a representation a response carries: the value of a `Content-Range` field (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Hashable {
    /// The places of the first byte and the last; `nil` in a 416 response, which carries none.
    package let bytes: ClosedRange<Int>?

    /// The length of the whole, in bytes, if the server knows it.
    package let total: Int?

    /// Reads the value of the field: `bytes 42-1233/1234`, `bytes 42-1233/*` or `bytes */1234`.
    ///
    /// - Returns: `nil` for any other unit, and for numbers that contradict each other.
    package init?(_ field: String) {
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        total = Self.number(parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        guard parts[0] != "*" else {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        bytes = first...last
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(HTTPSyntax.isDigit) ? Int(text) : nil
    }
}
