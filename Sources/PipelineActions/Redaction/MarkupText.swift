/// Text as it stands in markup and in scripts, where other characters stand for quotation marks and brackets: JSON in an
/// attribute of HTML, XML inside XML, JSON in a script.
enum MarkupText {
    /// What stands for what, as bytes.
    private static let signs: [(code: [UInt8], sign: UInt8)] = [
        ("&quot;", "\""), ("&#34;", "\""), ("&#034;", "\""), ("&#x22;", "\""), ("&apos;", "'"), ("&#39;", "'"),
        ("&#039;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&#60;", "<"), ("&#x3c;", "<"), ("&gt;", ">"),
        ("&#62;", ">"), ("&#x3e;", ">"), ("&amp;", "&"), ("&#38;", "&"), ("&#x26;", "&"), ("&#58;", ":"),
        ("&#x3a;", ":"), ("&#61;", "="), ("&#x3d;", "="),
        ("\\x22", "\""), ("\\u0022", "\""), ("\\x27", "'"), ("\\u0027", "'"), ("\\x3c", "<"), ("\\u003c", "<"),
        ("\\x3e", ">"), ("\\u003e", ">"), ("\\x26", "&"), ("\\u0026", "&"), ("\\x3a", ":"), ("\\u003a", ":"),
        ("\\x3d", "="), ("\\u003d", "="),
    ].map { (Array($0.utf8), Array($1.utf8)[0]) }

    /// The text with these signs in their places.
    ///
    /// - Returns: `nil` if there is nothing of the kind in it.
    static func decoded(_ text: String) -> String? {
        let mayBegin: (UInt8) -> Bool = { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\\") }
        guard text.utf8.contains(where: mayBegin) else { return nil }
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        var isChanged = false
        while let byte = rest.first {
            if mayBegin(byte), let (code, sign) = signs.first(where: { isNext($0.code, in: rest) }) {
                output.append(sign)
                rest = rest.dropFirst(code.count)
                isChanged = true
            } else {
                output.append(byte)
                rest = rest.dropFirst()
            }
        }
        return isChanged ? String(decoding: output, as: UTF8.self) : nil
    }

    /// Whether a code comes next, in any letter case.
    private static func isNext(_ code: [UInt8], in rest: ArraySlice<UInt8>) -> Bool {
        rest.count >= code.count
            && zip(rest, code).allSatisfy { byte, expected in
                byte == expected || (0x41...0x5A).contains(byte) && byte | 0x20 == expected
            }
    }
}
