import Foundation

/// A request that breaks the rules, with the rule it broke.
struct LoopbackMalformedRequest: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// The request line and the header fields of a request, read by the letter of RFC 9112.
///
/// A client under test should hear of every slip, so nothing is forgiven that a strict server may refuse.
struct LoopbackRequestHead {
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    var method = ""
    var target = ""
    var headers: [(name: String, value: String)] = []
    var framing = Framing.none
    /// Whether the client wants the connection closed after the answer: it says so, or speaks HTTP/1.0 and does not
    /// ask to keep it.
    var wantsClose = false
    /// Whether the client speaks HTTP/1.0 and must be told that the connection stays open.
    var isVersion0 = false
    var expectsContinue = false

    /// The head that stands for none.
    init() {}

    /// Reads a head.
    ///
    /// - Parameter lines: The lines without their ends, the empty line at the end left out.
    /// - Throws: ``LoopbackMalformedRequest`` with the first rule that is broken.
    init(lines: [UnsafeRawBufferPointer]) throws {
        try readRequestLine(lines[0])
        headers.reserveCapacity(lines.count - 1)
        for line in lines.dropFirst() {
            headers.append(try Self.field(line))
        }
        try readFraming()
    }

    private mutating func readRequestLine(_ line: UnsafeRawBufferPointer) throws {
        let space = UInt8(ascii: " ")
        guard let first = line.firstIndex(of: space), let last = line.lastIndex(of: space), first < last else {
            throw LoopbackMalformedRequest("the request line is not method, target and version between single spaces")
        }
        let method = UnsafeRawBufferPointer(rebasing: line[..<first])
        let target = UnsafeRawBufferPointer(rebasing: line[(first + 1)..<last])
        let version = LoopbackText.string(UnsafeRawBufferPointer(rebasing: line[(last + 1)...]))
        guard !method.isEmpty, method.allSatisfy(LoopbackText.isToken) else {
            throw LoopbackMalformedRequest("the method is not a token")
        }
        guard !target.isEmpty, target.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw LoopbackMalformedRequest("the request target is empty or has a space or a control character")
        }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw LoopbackMalformedRequest("the version is neither HTTP/1.1 nor HTTP/1.0")
        }
        self.method = LoopbackText.string(method)
        self.target = LoopbackText.string(target)
        isVersion0 = version == "HTTP/1.0"
    }

    private mutating func readFraming() throws {
        var hosts = 0
        var lengths: [String] = []
        var codings: [String] = []
        var options: [Substring] = []
        for (name, value) in headers {
            switch name.utf8.count {
            case 4 where name.equalsIgnoringCase("Host"): hosts += 1
            case 6 where name.equalsIgnoringCase("Expect"):
                expectsContinue = value.equalsIgnoringCase("100-continue")
            case 10 where name.equalsIgnoringCase("Connection"):
                options += value.split(whereSeparator: { $0 == "," || $0 == " " })
            case 14 where name.equalsIgnoringCase("Content-Length"): lengths.append(value)
            case 17 where name.equalsIgnoringCase("Transfer-Encoding"): codings.append(value)
            default: break
            }
        }
        if !isVersion0 && hosts != 1 {
            throw LoopbackMalformedRequest("there must be one Host field, got \(hosts)")
        }
        let keepsAlive = options.contains { String($0).equalsIgnoringCase("keep-alive") }
        wantsClose = options.contains { String($0).equalsIgnoringCase("close") } || (isVersion0 && !keepsAlive)
        if !lengths.isEmpty && !codings.isEmpty {
            throw LoopbackMalformedRequest("Content-Length and Transfer-Encoding exclude each other")
        }
        if lengths.count > 1 {
            throw LoopbackMalformedRequest("there is more than one Content-Length")
        }
        if let length = lengths.first {
            guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length) else {
                throw LoopbackMalformedRequest("Content-Length is not a number")
            }
            framing = .length(count)
        }
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].equalsIgnoringCase("chunked") else {
                throw LoopbackMalformedRequest("the only transfer coding understood is chunked")
            }
            framing = .chunked
        }
    }

    /// Reads a header or trailer field.
    static func field(_ line: UnsafeRawBufferPointer) throws -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw LoopbackMalformedRequest("a field has no colon")
        }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        guard !name.isEmpty, name.allSatisfy(LoopbackText.isToken) else {
            throw LoopbackMalformedRequest("a field name is not a token")
        }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var value = line[(colon + 1)...]
        while let first = value.first, isBlank(first) { value = value.dropFirst() }
        while let last = value.last, isBlank(last) { value = value.dropLast() }
        guard value.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            throw LoopbackMalformedRequest("a field value has a control character")
        }
        return (LoopbackText.string(name), LoopbackText.string(UnsafeRawBufferPointer(rebasing: value)))
    }
}

/// The characters of a message head.
enum LoopbackText {
    /// Whether the byte may stand in a method or a field name (`tchar`, RFC 9110, section 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        case UInt8(ascii: "!"), 0x23...0x27, UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "."): true
        case UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// Reads bytes as UTF-8, or as Latin-1 where they are not.
    static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(bytes: bytes, encoding: .utf8)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
