/// Texts as words of a POSIX shell (Shell Command Language, section 2.2): what the shell reads is the text again, whatever is
/// in it, and nothing in it is carried out. The words are printable: they have no control characters.
enum ShellWord {
    /// The text as one word.
    ///
    /// A text with control characters becomes the output of `printf`. It must not hold NUL, which no argument can, nor end
    /// with a line break, which the shell would take off; such a text keeps its line breaks as they are.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        guard text.unicodeScalars.contains(where: Printable.isControl), text.utf8.last != 0x0A else {
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
        return "\"$(" + printf(text.utf8) + ")\""
    }

    /// A command that puts out these bytes, whatever they are.
    static func printf(_ bytes: some Sequence<UInt8>) -> String {
        "printf '" + format(Array(bytes)) + "'"
    }

    /// The format of `printf` for bytes: text stays readable, all else becomes octal.
    private static func format(_ bytes: [UInt8]) -> String {
        var format = ""
        var rest = bytes[...]
        while let byte = rest.first {
            if byte >= 0x80, let scalar = firstScalar(of: rest), !Printable.isControl(scalar) {
                format.unicodeScalars.append(scalar)
                rest = rest.dropFirst(String(scalar).utf8.count)
                continue
            }
            switch byte {
            case 0x0A: format += "\\n"
            case UInt8(ascii: "%"): format += "%%"
            case UInt8(ascii: "\\"): format += "\\\\"
            // An interactive shell can take an exclamation mark for a command of the past.
            case 0..<0x20, 0x7F..., UInt8(ascii: "'"), UInt8(ascii: "!"): format += octal(byte)
            case UInt8(ascii: "-") where format.isEmpty: format += octal(byte)  // Or it would be an option.
            default: format.unicodeScalars.append(Unicode.Scalar(byte))
            }
            rest = rest.dropFirst()
        }
        return format
    }

    private static func firstScalar(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        for width in 2...4 where width <= bytes.count {
            guard let text = String(strictUTF8: bytes.prefix(width)) else { continue }
            return text.unicodeScalars.first
        }
        return nil
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// What means nothing to a shell anywhere in a word.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_./:@%+,".utf8.contains(byte)
        }
    }
}
