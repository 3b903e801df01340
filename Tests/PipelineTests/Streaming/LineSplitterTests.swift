import Foundation
import Pipeline
import Testing

struct LineSplitterTests {
    /// The lines of bytes that come in these pieces.
    func lines(of pieces: [Data], limit: Int = .max) throws -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines: [Data] = []
        for piece in pieces {
            splitter.append(piece)
            while let line = try splitter.next() { lines.append(line) }
        }
        if let last = splitter.finish() { lines.append(last) }
        #expect(splitter.count == lines.count)
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r", ["a"]), ("a\r\n", ["a"]),
        ("a\nb", ["a", "b"]), ("a\rb", ["a", "b"]), ("a\r\nb", ["a", "b"]),
        ("\n", [""]), ("\r", [""]), ("\r\n", [""]), ("\n\n", ["", ""]), ("\r\r", ["", ""]), ("\r\n\r\n", ["", ""]),
        ("\n\r", ["", ""]), ("a\n\r\nb", ["a", "", "b"]), ("a\r\r\nb\n", ["a", "", "b"]),
        ("€\n豆腐\r\n👩‍🚀", ["€", "豆腐", "👩‍🚀"]), ("a\u{2028}b\u{85}c", ["a\u{2028}b\u{85}c"]),
        ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}\na", ["", "a"]),
    ])
    func `finds the same lines wherever the pieces are cut`(text: String, expected: [String]) throws {
        for pieces in Data(text).cuts {
            #expect(try lines(of: pieces) == expected, "\(pieces.map { Array($0) })")
        }
    }

    @Test(arguments: [
        ("abc\nabc", nil), ("abcd", 1), ("abcd\n", 1), ("a\n\nabcd\n", 3), ("abc\r\nabcd", 2), ("ab€\n", 1),
    ])
    func `refuses a line that is too long, whether its end has come or not`(text: String, number: Int?) {
        for pieces in Data(text).cuts {
            let error = Result { try lines(of: pieces, limit: 3) }.failure as? LineSplitter.LineTooLong
            #expect(error?.number == number)
        }
    }

    @Test func `a line of many pieces takes time in proportion to its length`() throws {
        let piece = Data(repeating: UInt8(ascii: "x"), count: 16)
        var splitter = LineSplitter(limit: .max)
        for _ in 0..<20_000 {
            splitter.append(piece)
            #expect(try splitter.next() == nil)
        }
        #expect(splitter.finish()?.count == 320_000)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
