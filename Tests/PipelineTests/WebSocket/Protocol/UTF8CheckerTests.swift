import Foundation
import Pipeline
import PipelineTesting
import Testing

struct UTF8CheckerTests {
    private func verdict(_ bytes: [UInt8], by size: Int) -> Bool {
        var checker = UTF8Checker()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            guard piece.withUnsafeBytes({ checker.accepts($0) }) else { return false }
        }
        return checker.isComplete
    }

    @Test(arguments: [1, 3, 8, 100])
    func `agrees with Foundation on every scalar`(size: Int) {
        let scalars = stride(from: UInt32(0), through: 0x10FFFF, by: 97).compactMap(Unicode.Scalar.init)
        let text = String(String.UnicodeScalarView(scalars))
        #expect(verdict(Array(text.utf8), by: size))
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC2], [0xE2, 0x82],
            [0xF0, 0x9F, 0x98], [0xC2, 0x41], [0xE2, 0x28, 0xA1],
        ] as [[UInt8]]
    )
    func `refuses what is not UTF-8`(bytes: [UInt8]) {
        for size in [1, 2, 8] {
            #expect(!verdict(bytes, by: size))
            #expect(!verdict(Array("12345678abc".utf8) + bytes, by: size))
        }
    }

    @Test func `agrees with Foundation on random bytes`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                [0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4].randomElement(
                    using: &generator
                )
                    ?? UInt8(0)
            }
            #expect(verdict(bytes, by: 2) == (String(bytes: bytes, encoding: .utf8) != nil), "\(bytes)")
        }
    }
}
