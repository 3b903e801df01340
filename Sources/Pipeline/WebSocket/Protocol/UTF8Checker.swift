/// Checks that bytes which come in pieces are UTF-8 (RFC 3629), and tells of the first byte that cannot be.
package struct UTF8Checker {
    /// How many bytes of the present character are to come.
    private var missing = 0
    /// What the next of them may be: of the first bytes of longer forms, surrogates and what is beyond Unicode, only the second
    /// byte tells.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    package init() {}

    /// Whether no character has been begun that is not whole.
    package var isComplete: Bool { missing == 0 }

    /// Takes the next bytes.
    ///
    /// - Returns: Whether all of them can stand where they do.
    package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            // Most text is ASCII: eight characters at a time.
            if missing == 0, index + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
                continue
            }
            guard accepts(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard allowed.contains(byte) else { return false }
            allowed = 0x80...0xBF
            missing -= 1
            return true
        }
        switch byte {
        case 0...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
        case 0xED: (missing, allowed) = (2, 0x80...0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }
}
