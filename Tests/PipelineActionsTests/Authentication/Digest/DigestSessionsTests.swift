import Foundation
import Pipeline
import Testing

@testable import PipelineActions

struct DigestSessionsTests {
    var sessions = DigestSessions()
    let server = Origin("https://api.test")!
    let url = URL(string: "https://api.test/a")!

    func challenge(_ nonce: String, realm: String = "r", _ more: String = "") -> DigestChallenge {
        DigestDecisionTests.challenges("Digest realm=\(realm), nonce=\(nonce), qop=auth" + more)[0]
    }

    mutating func answer(_ challenge: DigestChallenge, _ fresh: String = "c") -> String {
        let reply = sessions.reply(to: challenge, at: server, fresh: fresh)
        return "\(reply.challenge.nonce) \(reply.count) \(reply.clientNonce)"
    }

    mutating func unasked(_ fresh: String = "c", without refused: Set<String> = []) -> String? {
        sessions.reply(unaskedFor: url, at: server, without: refused, fresh: fresh)
            .map { "\($0.challenge.nonce) \($0.count) \($0.clientNonce)" }
    }

    @Test mutating func `counts the uses of each nonce, with a new client nonce each time`() {
        #expect(unasked() == nil)
        #expect(answer(challenge("n"), "c1") == "n 1 c1")
        #expect(unasked("c2") == "n 2 c2")
        #expect(answer(challenge("n"), "c3") == "n 3 c3")
        #expect(answer(challenge("m"), "c4") == "m 1 c4")
        #expect(unasked("c5") == "m 2 c5")
        #expect(answer(challenge("n"), "c6") == "n 4 c6")
        #expect(unasked("c7") == "n 5 c7")
    }

    @Test mutating func `the client nonce of a session stays`() {
        #expect(answer(challenge("n", ", algorithm=MD5-sess"), "c1") == "n 1 c1")
        #expect(unasked("c2") == "n 2 c1")
        #expect(answer(challenge("m", ", algorithm=MD5-sess"), "c3") == "m 1 c3")
    }

    @Test mutating func `what is stale does not stick to a nonce`() {
        #expect(answer(challenge("n", ", stale=true")) == "n 1 c")
        #expect(answer(challenge("n")) == "n 2 c")
    }

    @Test mutating func `servers are told apart`() {
        _ = answer(challenge("n"))
        let other = Origin("https://api.test:8443")!
        let reply = sessions.reply(unaskedFor: url, at: other, without: [], fresh: "c")
        #expect(reply?.count == nil)
        #expect(sessions.reply(to: challenge("n"), at: other, fresh: "c").count == 1)
    }

    @Test mutating func `realms that were refused, and domains that do not cover the URL, are passed over`() {
        _ = answer(challenge("a", realm: "one"))
        _ = answer(challenge("b", realm: "two"))
        _ = answer(challenge("c", realm: "three", ", domain=\"/elsewhere\""))
        #expect(unasked() == "b 2 c")
        #expect(unasked(without: ["two"]) == "a 2 c")
        #expect(unasked(without: ["two", "one"]) == nil)
    }

    @Test mutating func `a realm that was refused is forgotten`() {
        _ = answer(challenge("a", realm: "one"))
        _ = answer(challenge("b", realm: "two"))
        sessions.forget(realm: "two", at: server)
        #expect(unasked() == "a 2 c")
    }

    @Test mutating func `a nonce that the server names for the next request is taken`() {
        _ = answer(challenge("n"))
        sessions.follow(.init(realm: "r", nonce: "n"), by: "m", at: server, fresh: "d")
        #expect(unasked() == "m 1 c")
        sessions.follow(.init(realm: "r", nonce: "n"), by: "m", at: server, fresh: "d")
        #expect(unasked() == "m 2 c")
        sessions.follow(.init(realm: "r", nonce: "unknown"), by: "x", at: server, fresh: "d")
        #expect(unasked() == "m 3 c")
        sessions.follow(.init(realm: "r", nonce: "m"), by: "m", at: server, fresh: "d")
        #expect(unasked() == "m 4 c")
    }

    @Test mutating func `old nonces are forgotten in the end`() {
        for number in 0..<17 { _ = answer(challenge("n\(number)")) }
        #expect(answer(challenge("n1")) == "n1 2 c")
        #expect(answer(challenge("n0")) == "n0 1 c")
    }
}
