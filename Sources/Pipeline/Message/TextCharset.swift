import Foundation

/// How the bytes of a text become characters, as far as Foundation knows on every system.
enum TextCharset {
    /// The encoding of a charset, by its name in lower case; `nil` if it is not known.
    ///
    /// ASCII is read as UTF-8, of which it is a part.
    static func encoding(named name: String) -> String.Encoding? { encodings[name] }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .utf8, "ascii": .utf8,
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2, "latin2": .isoLatin2,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
        "cp1252": .windowsCP1252, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC,
    ]

    /// The encoding that a byte order mark at the beginning shows, and the length of the mark in bytes.
    static func byteOrderMark(of data: Data) -> (encoding: String.Encoding, length: Int)? {
        if data.starts(with: utf8Mark) { return (.utf8, utf8Mark.count) }
        if data.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if data.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// U+FEFF in UTF-8 (RFC 3629, section 6).
    static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text of bytes; `nil` if they are none in this encoding.
    ///
    /// A byte order mark wins over what anybody says, and is no part of the text: that is how browsers read.
    static func text(of data: Data, in encoding: String.Encoding) -> String? {
        let mark = byteOrderMark(of: data)
        let encoding = mark?.encoding ?? encoding
        let content = data.dropFirst(mark?.length ?? 0)
        // Foundation drops half a unit at the end.
        let isUTF16 = [.utf16, .utf16LittleEndian, .utf16BigEndian].contains(encoding)
        guard !isUTF16 || content.count.isMultiple(of: 2) else { return nil }
        return String(data: content, encoding: encoding)
    }
}
