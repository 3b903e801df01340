import Foundation
import Pipeline
import Testing

struct MessageDigestTests {
    static let long = Data((0..<(256 * 4096)).map { UInt8(truncatingIfNeeded: $0) })

    /// Made with Python's `hashlib`.
    static let digests: [(Data, HashAlgorithm, String)] = [
        (Data(), .md5, "d41d8cd98f00b204e9800998ecf8427e"),
        (Data(), .sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            Data(), .sha512,
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (Data("abc".utf8), .md5, "900150983cd24fb0d6963f7d28e17f72"),
        (Data("abc".utf8), .sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            Data("abc".utf8), .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (long, .md5, "c35cc7d8d91728a0cb052831bc4ef372"),
        (long, .sha256, "fbbab289f7f94b25736c58be46a994c441fd02552cc6022352e3d86d2fab7c83"),
        (
            long, .sha512,
            "ac1d097b4ea6f6ad7ba640275b9ac290e4828cd760a0ebf76d555463a4f505f9"
                + "5df4f611629539a2dd1848e7c1304633baa1826462b3c87521c0c6e3469b67af"
        ),
    ]

    func hexadecimal(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    @Test(arguments: digests)
    func `makes the digest of a message, whole or in pieces`(
        message: Data,
        algorithm: HashAlgorithm,
        expected: String
    ) throws {
        #expect(hexadecimal(try MessageDigest.digest(of: message, algorithm)) == expected)

        var digest = try MessageDigest(algorithm)
        for start in stride(from: 0, to: message.count, by: 65_537) {
            digest.update(message[start..<min(start + 65_537, message.count)])
        }
        digest.update(Data())
        #expect(hexadecimal(digest.finalized()) == expected)
        #expect(digest.finalized().count == algorithm.length)
    }

    @Test func `text is taken in UTF-8`() throws {
        #expect(hexadecimal(try MessageDigest.digest(of: "Jäsøn Doe", .md5)) == "630b348bc2a329a0d504207b40c2c706")
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `a copy goes on by itself, and so does a digest that was asked for`(algorithm: HashAlgorithm) throws {
        var one = try MessageDigest(algorithm)
        one.update(Data("a".utf8))
        var other = one
        other.update(Data("x".utf8))
        let early = one.finalized()
        one.update(Data("bc".utf8))

        #expect(early == (try MessageDigest.digest(of: "a", algorithm)))
        #expect(one.finalized() == (try MessageDigest.digest(of: "abc", algorithm)))
        #expect(other.finalized() == (try MessageDigest.digest(of: "ax", algorithm)))
    }

    @Test func `digests are made on many threads at once`() async throws {
        let expected = try MessageDigest.digest(of: Self.long, .sha256)
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 { group.addTask { try MessageDigest.digest(of: Self.long, .sha256) } }
            for try await digest in group { #expect(digest == expected) }
        }
    }

    @Test func `shows the function and nothing of the message`() throws {
        var digest = try MessageDigest(.sha256)
        digest.update(Data("canary".utf8))
        var dumped = ""
        dump(digest, to: &dumped)
        #expect("\(digest)" == "MessageDigest(SHA-256)")
        #expect(!dumped.contains("canary"))
    }
}
