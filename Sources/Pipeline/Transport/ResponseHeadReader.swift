/// Reads the heads of responses a line at a time, as libcurl hands them over: interim ones, the final one, and the fields after
/// the body.
///
/// It keeps lines as they came and looks only for what decides on the transfer; names and values are made into strings
/// later, by whoever waits for the response.
package struct ResponseHeadReader {
    /// What a head may be.
    package struct Limits {
        package var size: Int
        package var fields: Int
        package var interimResponses: Int

        package init(size: Int, fields: Int, interimResponses: Int) {
            self.size = size
            self.fields = fields
            self.interimResponses = interimResponses
        }
    }

    /// What a line means.
    package enum Step {
        case more
        /// An interim response ended (RFC 9110, section 15.2).
        case interim(status: Int, lines: [UInt8])
        /// The final head is whole.
        case complete
        case violation(NetworkError)
    }

    private enum Place {
        case beforeHead
        case inHead
        case behindHead
    }

    /// What the head may be.
    package let limits: Limits
    private let allowsSwitch: Bool
    private var place = Place.beforeHead
    private var fieldCount = 0
    private var interimCount = 0

    package private(set) var status = 0
    package private(set) var version: HTTPVersion?
    /// The lines of the final head without the status line.
    package private(set) var lines: [UInt8] = []
    /// The lines that came after the body (RFC 9110, section 6.5).
    package private(set) var trailers: [UInt8] = []
    package private(set) var announcedLength: Int?
    package private(set) var codings = 0
    package private(set) var isChunked = false

    /// - Parameters:
    ///   - limits: What a head may be.
    ///   - allowsSwitch: Whether the request asks for another protocol, so that 101 is a final answer.
    package init(limits: Limits, allowsSwitch: Bool = false) {
        self.limits = limits
        self.allowsSwitch = allowsSwitch
    }

    /// Whether the final head is whole.
    package var isComplete: Bool { place == .behindHead }

    /// Whether no byte of any response has come.
    package var isUntouched: Bool { place == .beforeHead && interimCount == 0 }

    /// Whether only the end of the connection ends the body (RFC 9112, section 6.3).
    package var isEndedByConnection: Bool {
        version != .http2 && announcedLength == nil && !isChunked && status != 204 && status != 304
    }

    /// Takes the next line, its end included.
    package mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        switch place {
        case .behindHead: return takeTrailer(line)
        case .beforeHead: return begin(line)
        case .inHead: break
        }
        if Self.isBlank(line) { return finish() }
        fieldCount += 1
        guard lines.count + line.count <= limits.size, fieldCount <= limits.fields else { return tooLarge }
        lines.append(contentsOf: line)
        return look(at: line)
    }

    // MARK: The status line

    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Step {
        guard let (version, status) = Self.statusLine(line) else {
            return violation("the response begins with no status line")
        }
        self.version = version
        self.status = status
        lines = []
        lines.reserveCapacity(512)  // Most heads fit.
        fieldCount = 0
        announcedLength = nil
        codings = 0
        isChunked = false
        place = .inHead
        return .more
    }

    /// Reads `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private static func statusLine(_ line: UnsafeRawBufferPointer) -> (HTTPVersion, Int)? {
        guard line.count >= 10, isText(line[..<5], "HTTP/"),
            let space = line.firstIndex(of: UInt8(ascii: " ")), space + 4 <= line.count
        else { return nil }
        var status = 0
        for byte in line[(space + 1)..<(space + 4)] {
            guard HTTPSyntax.isDigit(byte) else { return nil }
            status = status * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return (version(line[5..<space]), status)
    }

    private static func version(_ number: UnsafeRawBufferPointer.SubSequence) -> HTTPVersion {
        if isText(number, "1.1") { return .http1_1 }
        if isText(number, "2") { return .http2 }
        return HTTPVersion(rawValue: "HTTP/" + String(decoding: number, as: UTF8.self))
    }

    // MARK: The end of a head

    private mutating func finish() -> Step {
        if status == 101 {
            guard allowsSwitch else {
                return violation("the server switched protocols, which nobody asked for")
            }
            place = .behindHead
            return .complete
        }
        if (100..<200).contains(status) {
            interimCount += 1
            guard interimCount <= limits.interimResponses else {
                return violation("more than \(limits.interimResponses) interim responses")
            }
            place = .beforeHead
            return .interim(status: status, lines: lines)
        }
        place = .behindHead
        fieldCount = 0
        guard codings <= 1 else {
            return .violation(
                NetworkError(.contentCodingFailed, "the body has \(codings) content codings; one is taken")
            )
        }
        return .complete
    }

    private mutating func takeTrailer(_ line: UnsafeRawBufferPointer) -> Step {
        if Self.isBlank(line) { return .more }
        fieldCount += 1
        guard trailers.count + line.count <= limits.size, fieldCount <= limits.fields else { return tooLarge }
        trailers.append(contentsOf: line)
        return .more
    }

    // MARK: Fields that decide

    private mutating func look(at line: UnsafeRawBufferPointer) -> Step {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .more }
        let value = line[(colon + 1)...]
        // Three names out of a hundred: their lengths tell most others apart.
        if colon == 14, Self.isName(line[..<colon], "content-length") { return lookAtLength(value) }
        if colon == 17, Self.isName(line[..<colon], "transfer-encoding") { isChunked = true }
        if colon == 16, Self.isName(line[..<colon], "content-encoding") { codings += Self.codings(in: value) }
        return .more
    }

    /// Two lengths that differ make a message that two readers take for different ones (RFC 9112, section 6.3).
    private mutating func lookAtLength(_ value: UnsafeRawBufferPointer.SubSequence) -> Step {
        var rest = value
        while !rest.isEmpty {
            let item = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[item.endIndex...].dropFirst()
            if item.isEmpty { continue }
            guard let length = Self.number(Self.trimmed(item)) else {
                return violation("the Content-Length is no number")
            }
            if let announcedLength, announcedLength != length {
                return violation("two lengths that differ, \(announcedLength) and \(length)")
            }
            announcedLength = length
        }
        return .more
    }

    /// Reads digits; `nil` if there are none, or anything else, or too many.
    private static func number(_ digits: UnsafeRawBufferPointer.SubSequence) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            guard HTTPSyntax.isDigit(digit) else { return nil }
            let tens = number.multipliedReportingOverflow(by: 10)
            let sum = tens.partialValue.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !tens.overflow, !sum.overflow else { return nil }
            number = sum.partialValue
        }
        return number
    }

    private static func codings(in value: UnsafeRawBufferPointer.SubSequence) -> Int {
        value.split(separator: UInt8(ascii: ",")).count { item in
            let name = trimmed(item)
            return !name.isEmpty && !isName(name, "identity")
        }
    }

    private static func trimmed(_ text: UnsafeRawBufferPointer.SubSequence) -> UnsafeRawBufferPointer.SubSequence {
        var text = text
        while let first = text.first, isSpace(first) { text = text.dropFirst() }
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }

    private static func isText(_ bytes: UnsafeRawBufferPointer.SubSequence, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { $0.count == bytes.count && zip($0, bytes).allSatisfy { $0 == $1 } }
    }

    private static func isName(_ bytes: UnsafeRawBufferPointer.SubSequence, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { $0.count == bytes.count && zip($0, bytes).allSatisfy { $0 == $1 | 0x20 } }
    }

    private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
    }

    private var tooLarge: Step {
        violation("the head is larger than \(limits.size) bytes or \(limits.fields) fields")
    }

    private func violation(_ text: String) -> Step { .violation(NetworkError(.protocolViolation, text)) }
}
