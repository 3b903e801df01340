import Foundation
import Pipeline
import Testing

/// RFC 9530, and the dictionaries of RFC 9651.
struct DigestFieldTests {
    static let one = Data("one".utf8)
    static let two = Data("two".utf8)

    @Test(
        arguments: [
            ("sha-256=:b25l:", [.sha256: one]), ("sha-512=:dHdv:", [.sha512: two]),
            ("sha-256=:b25l:, sha-512=:dHdv:", [.sha256: one, .sha512: two]),
            ("sha-256=:b25l:,sha-512=:dHdv: \t,\tmd5=:AAAA:", [.sha256: one, .sha512: two]),
            // Others are left out, whatever they are
            ("md5=:b25l:", [:]), ("unixsum=30637, sha-256=:b25l:", [.sha256: one]), ("", [:]),
            (
                "a, b=?1, c=\"x,\\\"y\", d=tok/en:*, e=-1.5, f=(1 \"a\" :AA==:);g;h=2, i=@1659578233, sha-256=:b25l:",
                [.sha256: one]
            ),
            ("a=%\"caf%c3%a9\", sha-256=:b25l:", [.sha256: one]), ("a=(), sha-256=:b25l:", [.sha256: one]),
            // Parameters, padding left out, the last of two
            ("sha-256=:b25l:;q=1;x", [.sha256: one]), ("sha-256=:AA:", [.sha256: Data([0])]),
            ("sha-256=::", [.sha256: Data()]),
            ("sha-256=:b25l:, sha-256=:dHdv:", [.sha256: two]),
        ] as [(String, [HashAlgorithm: Data])]
    )
    func `reads the digests that can be checked`(field: String, digests: [HashAlgorithm: Data]) {
        #expect(DigestField(field)?.digests == digests)
    }

    @Test(arguments: [
        "sha-256", "sha-256=b25l", "sha-256=\"b25l\"", "sha-256=:b25l", "sha-256=:b-5l:", "SHA-256=:b25l:",
        "sha-256=:b25l:,", "sha-256=:b25l: x", ",sha-256=:b25l:", "sha-256 =:b25l:", "a=, sha-256=:b25l:",
        "a=(1, sha-256=:b25l:", "a=(1\"b\"), sha-256=:b25l:", "a=\"x, sha-256=:b25l:", "a=\"\\x\", sha-256=:b25l:",
        "a=?2, sha-256=:b25l:", "a=1., sha-256=:b25l:", "a=-, sha-256=:b25l:", "a;=1, sha-256=:b25l:",
        "a=1;b=, sha-256=:b25l:", "a=é, sha-256=:b25l:", "a=\"é\", sha-256=:b25l:",
    ])
    func `ignores a field that is malformed anywhere`(field: String) {
        #expect(DigestField(field) == nil)
    }
}
