import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct GzipEncoderTests {
    static let samples: [Data] = [
        Data(), Data([0]), Data("hello, hello, hello, hello".utf8), Data(repeating: 0x61, count: 1_000_000), random,
        // Sizes about that of the buffer.
        random.prefix(16_383), random.prefix(16_384), random.prefix(16_385),
    ]

    private static let random: Data = {
        var generator = SeededGenerator(seed: 1)
        return Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }()

    /// Another implementation reads it: Python's module, in one process for all samples.
    @Test(arguments: [0, 1, 6, 9])
    func `others read what it writes`(level: Int) async throws {
        let files = FileManager.default.temporaryDirectory.appending(path: "gzip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        for (number, sample) in Self.samples.enumerated() {
            try GzipEncoder(level: level).encode(sample).write(to: files.appending(path: "\(number).gz"))
        }
        let script = """
            import gzip, os, sys
            for name in os.listdir(sys.argv[1]):
                path = os.path.join(sys.argv[1], name)
                content = gzip.decompress(open(path, "rb").read())
                open(path[:-len(".gz")], "wb").write(content)
            """
        let python = try ChildProcess(["python3", "-c", script, files.path])
        try #require(await python.end() == 0)

        for (number, sample) in Self.samples.enumerated() {
            #expect(try Data(contentsOf: files.appending(path: "\(number)")) == sample)
        }
    }

    @Test func `has the header of its format, without a time, and the check of what it holds`() throws {
        let compressed = try GzipEncoder().encode(Data("123456789".utf8))
        // RFC 1952, section 2.3: magic, deflate, no flags, no time.
        #expect(Array(compressed.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        // The well-known CRC-32 of these digits, then their count, least significant byte first.
        #expect(Array(compressed.suffix(8)) == [0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0])
    }

    @Test func `makes small what repeats, says the same each time, and barely grows what does not`() throws {
        let repeated = try GzipEncoder().encode(Data(repeating: 0x61, count: 1_000_000))
        #expect(repeated.count < 2000)
        #expect(try GzipEncoder().encode(Data(repeating: 0x61, count: 1_000_000)) == repeated)
        #expect(try GzipEncoder().encode(Self.random).count < 100_100)
        #expect(GzipEncoder.isAvailable)
    }

    @Test func `takes a part of other data for what it is`() throws {
        let whole = Data("xx123456789xx".utf8)
        #expect(try GzipEncoder().encode(whole[2..<11]) == GzipEncoder().encode(Data("123456789".utf8)))
    }
}
