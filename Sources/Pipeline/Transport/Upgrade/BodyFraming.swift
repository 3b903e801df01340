package import Foundation

/// Takes the body of an HTTP/1.1 response out of what frames it (RFC 9112, sections 6 and 7), for those that refuse an upgrade:
/// all others are libcurl's.
package struct BodyFraming {
    /// What tells the end of a body.
    package enum Kind: Hashable, Sendable {
        case length(Int)
        case chunked
        /// Only the end of the connection.
        case connection
    }

    private enum Place {
        case bytes(left: Int)
        case sizeLine
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case toTheEnd
        case over
    }

    private var place: Place
    private var line: [UInt8] = []

    /// How long a line between chunks can be.
    private static let longestLine = 8 * 1024

    package init(_ kind: Kind) {
        switch kind {
        case .length(let count): place = count == 0 ? .over : .bytes(left: count)
        case .chunked: place = .sizeLine
        case .connection: place = .toTheEnd
        }
    }

    /// Whether the body is whole.
    package var isOver: Bool { if case .over = place { true } else { false } }

    /// Whether the body is whole if the connection ends now.
    package var mayEnd: Bool { if case .toTheEnd = place { true } else { isOver } }

    /// Takes what came.
    ///
    /// - Returns: What of it belongs to the body. What comes after its end is left out.
    /// - Throws: ``NetworkError`` `protocol-violation` for chunks that are none.
    package mutating func read(_ bytes: Data) throws(NetworkError) -> Data {
        var body = Data()
        var rest = bytes
        while !rest.isEmpty {
            switch place {
            case .over:
                return body
            case .toTheEnd:
                body.append(contentsOf: rest)
                return body
            case .bytes(let left):
                let count = Self.move(&rest, into: &body, upTo: left)
                place = count == left ? .over : .bytes(left: left - count)
            case .chunk(let left):
                let count = Self.move(&rest, into: &body, upTo: left)
                place = count == left ? .chunkEnd : .chunk(left: left - count)
            case .sizeLine, .chunkEnd, .trailers:
                guard try takeLine(from: &rest) else { return body }
                try follow(line)
                line = []
            }
        }
        return body
    }

    private static func move(_ rest: inout Data, into body: inout Data, upTo limit: Int) -> Int {
        let piece = rest.prefix(limit)
        body.append(contentsOf: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    /// Gathers a line without its end.
    private mutating func takeLine(from rest: inout Data) throws(NetworkError) -> Bool {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        line += rest[..<(end ?? rest.endIndex)]
        rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
        guard line.count <= Self.longestLine else { throw Self.violation("a line between chunks is too long") }
        if end != nil, line.last == UInt8(ascii: "\r") { line.removeLast() }
        return end != nil
    }

    private mutating func follow(_ line: [UInt8]) throws(NetworkError) {
        switch place {
        case .sizeLine:
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw Self.violation("the size of a chunk is no number") }
            place = size == 0 ? .trailers : .chunk(left: size)
        case .chunkEnd:
            guard line.isEmpty else { throw Self.violation("a chunk is longer than its size") }
            place = .sizeLine
        default:
            if line.isEmpty { place = .over }
        }
    }

    private static func violation(_ text: String) -> NetworkError { NetworkError(.protocolViolation, text) }
}
