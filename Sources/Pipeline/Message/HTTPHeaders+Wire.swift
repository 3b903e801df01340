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
            var start = 0
            while start < bytes.count {
                let end = Self.lineEnd(in: bytes, from: start)
                Self.read(Self.trimmed(bytes[start..<end]), startsWithSpace: Self.isBlank(bytes[start]), into: &fields)
                start = end + 1
            }
        }
        self.init(fields)
    }

    /// The system's search looks at many bytes at once.
    private static func lineEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress,
            let end = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(end) - UnsafeRawPointer(base)
    }

    private static func read(
        _ line: Slice<UnsafeBufferPointer<UInt8>>,
        startsWithSpace: Bool,
        into fields: inout [HTTPField]
    ) {
        if startsWithSpace, let last = fields.popLast() {
            // A part that is empty would leave a space at an end of the value.
            let value = [last.value, text(line)].filter { !$0.isEmpty }.joined(separator: " ")
            fields.append(HTTPField(name: last.name, value: value))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let value = trimmed(line[(colon + 1)...])
            fields.append(HTTPField(name: HTTPFieldName(text(line[..<colon])), value: text(value)))
        }
    }

    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let buffer = UnsafeBufferPointer(rebasing: bytes)
        // Nearly every line is ASCII, which need not be validated.
        if buffer.allSatisfy({ $0 < 0x80 }) { return String(decoding: buffer, as: UTF8.self) }
        if let text = String(bytes: buffer, encoding: .utf8) { return text }
        return String(String.UnicodeScalarView(buffer.map { Unicode.Scalar($0) }))
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
