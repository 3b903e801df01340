import Foundation

extension HTTPHeaders {
    /// Reads the lines of a head as they came, each with its end.
    ///
    /// A value that is not UTF-8 is read as Latin-1, as it was once defined (RFC 9110, section 5.5). A line that begins with a
    /// space goes on with the value before it (RFC 9112, section 5.2). A line without a colon is left out.
    package init(lines: [UInt8]) {
        var fields: [HTTPField] = []
        lines.withUnsafeBufferPointer { bytes in
            fields.reserveCapacity(bytes.count / 24)
            // Nearly every head is. Looked at as a whole that is told many bytes at a time.
            let isASCII = bytes.reduce(0, |) < 0x80
            var start = 0
            while start < bytes.count {
                let end = Self.place(of: "\n", in: bytes[start...]) ?? bytes.count
                let line = Self.trimmed(bytes[start..<end])
                Self.read(line, isASCII: isASCII, startsWithSpace: Self.isBlank(bytes[start]), into: &fields)
                start = end + 1
            }
        }
        self.init(fields)
    }

    private static func read(
        _ line: Slice<UnsafeBufferPointer<UInt8>>,
        isASCII: Bool,
        startsWithSpace: Bool,
        into fields: inout [HTTPField]
    ) {
        if startsWithSpace, let last = fields.popLast() {
            // A part that is empty would leave a space at an end of the value.
            let value = [last.value, text(line, isASCII: isASCII)].filter { !$0.isEmpty }.joined(separator: " ")
            fields.append(HTTPField(name: last.name, value: value))
        } else if let colon = place(of: ":", in: line) {
            let value = trimmed(line[(colon + 1)...])
            let name = HTTPFieldName(text(line[..<colon], isASCII: isASCII))
            fields.append(HTTPField(name: name, value: text(value, isASCII: isASCII)))
        }
    }

    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, isASCII: Bool) -> String {
        let buffer = UnsafeBufferPointer(rebasing: bytes)
        if isASCII {
            return String(unsafeUninitializedCapacity: buffer.count) { $0.initialize(from: buffer).index }
        }
        if let text = String(bytes: buffer, encoding: .utf8) { return text }
        return String(String.UnicodeScalarView(buffer.map { Unicode.Scalar($0) }))
    }

    /// Where a character comes first. `memchr` looks at many bytes at once.
    private static func place(of character: Unicode.Scalar, in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let buffer = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes))
        guard let start = buffer.baseAddress,
            let place = memchr(start, Int32(character.value), buffer.count)
        else { return nil }
        return bytes.startIndex + (UnsafeRawPointer(place) - start)
    }

    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var (start, end) = (bytes.startIndex, bytes.endIndex)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) || byte == 0x0D }
}
