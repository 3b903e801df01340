import Foundation
import Pipeline
import Testing

@testable import PipelineActions

struct DigestDecisionTests {
    static func challenges(_ fields: String...) -> [DigestChallenge] {
        AuthenticationChallenge.challenges(in: fields).compactMap(DigestChallenge.init)
    }

    // MARK: What can be answered

    @Test(arguments: [
        (#"Digest realm="r", nonce="n", qop="auth""#, "MD5"), (#"digest REALM=r, NONCE=n, QOP=AUTH"#, "MD5"),
        (#"Digest realm=r, nonce=n, qop="auth-int,auth", algorithm=sha-256"#, "SHA-256"),
        (#"Digest realm=r, nonce=n, qop="auth-int auth", algorithm="MD5-sess""#, "MD5-sess"),
        (#"Digest realm="", nonce="", qop=auth"#, "MD5"), (#"Digest realm=r, nonce=n"#, nil),
        (#"Digest realm=r, nonce=n, qop=auth-int"#, nil), (#"Digest realm=r, qop=auth"#, nil),
        (#"Digest nonce=n, qop=auth"#, nil), (#"Digest realm=r, nonce=n, qop=auth, algorithm=SHA-512-256"#, nil),
        (#"Digest realm=r, nonce=n, qop=auth, algorithm=SHA-1"#, nil), (#"Basic realm=r, nonce=n, qop=auth"#, nil),
        (#"Digest abc="#, nil),
    ])
    func `answers what it can`(field: String, algorithm: String?) {
        #expect(Self.challenges(field).first?.algorithm.rawValue == algorithm)
    }

    @Test func `reads what else a challenge says`() {
        let fields = #"Digest realm=r, nonce=n, qop=auth, opaque="o", stale=TRUE, userhash="true", domain="/a  /b""#
        let challenge = Self.challenges(fields).first
        #expect(challenge?.opaque == "o")
        #expect(challenge?.isStale == true)
        #expect(challenge?.hashesUser == true)
        #expect(challenge?.domain == ["/a", "/b"])
        let other = Self.challenges("Digest realm=r, nonce=n, qop=auth, stale=1, userhash=false").first
        #expect(other?.isStale == false)
        #expect(other?.hashesUser == false)
    }

    @Test(arguments: [
        ("", "https://api.test/x", true), ("/a", "https://api.test/a", true), ("/a", "https://api.test/ab?c", true),
        ("/a", "https://api.test/b", false), ("/a", "https://api.test", false), ("/", "https://api.test", true),
        ("/b /a", "https://api.test/a", true), ("https://api.test/a", "https://api.test/a/b", true),
        ("https://api.test", "https://api.test/a/b", true), ("https://other.test/a", "https://api.test/a", false),
        ("http://api.test/a", "https://api.test/a", false), ("nonsense", "https://api.test/a", false),
    ])
    func `covers the URLs of its domain`(domain: String, url: String, isCovered: Bool) throws {
        let challenge = try #require(Self.challenges(#"Digest realm=r, nonce=n, qop=auth, domain="\#(domain)""#).first)
        #expect(challenge.covers(URL(string: url)!, of: Origin("https://api.test")!) == isCovered)
    }

    // MARK: What to do

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let fields: String
        var carried: (realm: String, nonce: String)?
        var refused: Set<String> = []
        var replies = 0
        /// The nonce of the challenge that is answered.
        var nonce: String?
        var refusedRealm: String?
        let note: DigestNote

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "the first challenge is answered",
            fields: "Digest realm=r, nonce=n, qop=auth",
            nonce: "n",
            note: .answering(.md5, isStale: false)
        ),
        Case(
            name: "SHA-256 goes before MD5",
            fields: "Digest realm=r, nonce=a, qop=auth, Digest realm=r, nonce=b, qop=auth, algorithm=SHA-256",
            nonce: "b",
            note: .answering(.sha256, isStale: false)
        ),
        Case(
            name: "of equals the first goes",
            fields: "Basic realm=r, Digest realm=r, nonce=a, qop=auth, algorithm=SHA-256-sess, "
                + "Digest realm=r, nonce=b, qop=auth, algorithm=SHA-256",
            nonce: "a",
            note: .answering(.sha256Session, isStale: false)
        ),
        Case(name: "nothing can be answered", fields: "Basic realm=r", note: .unanswerable),
        Case(
            name: "what was carried is refused",
            fields: "Digest realm=r, nonce=n2, qop=auth",
            carried: ("r", "n1"),
            refusedRealm: "r",
            note: .refused
        ),
        Case(
            name: "with another algorithm too",
            fields: "Digest realm=r, nonce=n2, qop=auth, algorithm=SHA-256",
            carried: ("r", "n1"),
            refusedRealm: "r",
            note: .refused
        ),
        Case(
            name: "a stale nonce is replaced",
            fields: "Digest realm=r, nonce=n2, qop=auth, stale=true",
            carried: ("r", "n1"),
            nonce: "n2",
            note: .answering(.md5, isStale: true)
        ),
        Case(
            name: "by another one only",
            fields: "Digest realm=r, nonce=n1, qop=auth, stale=true",
            carried: ("r", "n1"),
            refusedRealm: "r",
            note: .refused
        ),
        Case(
            name: "of two challenges the stale one is answered",
            fields:
                "Digest realm=r, nonce=a, qop=auth, algorithm=SHA-256, Digest realm=r, nonce=b, qop=auth, stale=true",
            carried: ("r", "n1"),
            nonce: "b",
            note: .answering(.md5, isStale: true)
        ),
        Case(
            name: "another realm is another question",
            fields: "Digest realm=s, nonce=n2, qop=auth",
            carried: ("r", "n1"),
            nonce: "n2",
            note: .answering(.md5, isStale: false)
        ),
        Case(
            name: "unless it was refused before",
            fields: "Digest realm=s, nonce=n2, qop=auth",
            carried: ("r", "n1"),
            refused: ["s"],
            note: .refused
        ),
        Case(
            name: "a refused realm is not answered, stale or not",
            fields: "Digest realm=r, nonce=n, qop=auth, stale=true",
            refused: ["r"],
            note: .refused
        ),
        Case(
            name: "a refusal without challenges is one",
            fields: "Basic realm=r",
            carried: ("r", "n1"),
            refusedRealm: "r",
            note: .refused
        ),
        Case(
            name: "a server that goes on asking is left",
            fields: "Digest realm=r, nonce=n9, qop=auth, stale=true",
            carried: ("r", "n8"),
            replies: 4,
            note: .tooManyReplies
        ),
    ]

    @Test(arguments: cases)
    func `decides about a 401`(rule: Case) {
        let decision = DigestDecision(
            on: Self.challenges(rule.fields),
            carried: rule.carried.map { DigestDecision.Carried(realm: $0.realm, nonce: $0.nonce) },
            refused: rule.refused,
            replies: rule.replies
        )
        #expect(decision.reply?.nonce == rule.nonce)
        #expect(decision.refusedRealm == rule.refusedRealm)
        #expect(decision.note == rule.note)
    }
}
