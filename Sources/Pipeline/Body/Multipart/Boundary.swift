import Foundation

/// The line that parts are told apart by (RFC 2046, section 5.1.1).
package struct Boundary: Sendable {
    package let text: String

    /// Whether the caller named it. Such a boundary is never replaced by another.
    let isGiven: Bool

    init(given text: String) {
        self.text = text
        isGiven = true
    }

    /// Draws a boundary that occurs in none of the parts, as far as their contents are known.
    ///
    /// Of 128 random bits nothing that was written before knows, so it is not in a stream or a file either.
    package init(for parts: [BodyPart], using generator: inout some RandomNumberGenerator) {
        var text: String
        repeat {
            let digits = (0..<2).map { _ in
                let half = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
                return String(repeating: "0", count: 16 - half.count) + half
            }
            text = "pipeline-" + digits.joined()
        } while parts.contains { $0.body.mentions(text) }
        self.text = text
        isGiven = false
    }

    /// The boundary as the value of a parameter, in quotation marks where it needs them.
    var parameter: String { HTTPSyntax.isToken(text) ? text : "\"\(text)\"" }

    /// Refuses a boundary that the grammar has no place for.
    func check() throws(MalformedValue) {
        guard (1...70).contains(text.utf8.count), text.utf8.last != UInt8(ascii: " "),
            text.utf8.allSatisfy(Self.mayHold)
        else {
            throw MalformedValue(
                kind: "multipart boundary",
                name: text,
                reason: "a boundary has 1 to 70 letters, digits and '()+_,-./:=? or spaces, and none at its end "
                    + "(RFC 2046, section 5.1.1)"
            )
        }
    }

    private static let signs = Set("'()+_,-./:=? ".utf8)

    private static func mayHold(_ byte: UInt8) -> Bool {
        HTTPSyntax.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || signs.contains(byte)
    }
}

extension RequestBody {
    /// Whether a text occurs in what is known of the body: bytes in memory, and the parts of a multipart with their boundary.
    func mentions(_ text: String) -> Bool {
        switch content {
        case .bytes(let data):
            Self.occurs(Array(text.utf8), in: data)
        case .multipart(let multipart):
            multipart.boundary.contains(text) || multipart.parts.contains { $0.body.mentions(text) }
        case nil, .file, .stream, .value:
            false
        }
    }

    /// Looks at about every fortieth byte only, since it knows from each how far the text can be (Horspool's search): a
    /// content can be large, and `Data.range(of:)` looks at all of them.
    private static func occurs(_ text: [UInt8], in data: Data) -> Bool {
        guard let final = text.last else { return true }
        let last = text.count - 1
        var steps = [Int](repeating: text.count, count: 256)
        for (place, byte) in text.dropLast().enumerated() { steps[Int(byte)] = last - place }
        return data.withUnsafeBytes { bytes in
            var end = last
            while end < bytes.count {
                if bytes[end] == final, bytes[(end - last)...end].elementsEqual(text) { return true }
                end += steps[Int(bytes[end])]
            }
            return false
        }
    }
}
