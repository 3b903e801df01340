import Foundation
import Pipeline
import Testing

@testable import PipelineActions

struct DigestReplyTests {
    static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    func reply(
        _ challenge: String,
        count: Int = 1,
        clientNonce: String = Self.clientNonce
    ) throws -> DigestReply {
        let parsed = AuthenticationChallenge.challenges(in: ["Digest " + challenge]).first
        let challenge = try #require(parsed.flatMap(DigestChallenge.init))
        return DigestReply(challenge: challenge, count: count, clientNonce: clientNonce)
    }

    func parameters(_ reply: DigestReply, _ user: String, _ password: String, _ request: String) throws -> [String:
        String]
    {
        let words = request.split(separator: " ").map(String.init)
        let credential = try PasswordCredential(user: user, password: password)
        let value = try reply.authorization(credential, method: words[0], target: words[1])
        return try #require(AuthenticationChallenge.challenges(in: [value]).first).parameters
    }

    /// The first and the third are those of RFC 7616, section 3.9.1; the others were made with Python's `hashlib`.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("MD5-sess", "e783283f46242139c486a698fec7211d"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("SHA-256-sess", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
    ])
    func `proves to know the password`(algorithm: String, response: String) throws {
        let reply = try reply(
            #"realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="\#(Self.nonce)", "#
                + #"opaque="\#(Self.opaque)""#
        )
        #expect(
            try parameters(reply, "Mufasa", "Circle of Life", "GET /dir/index.html") == [
                "username": "Mufasa", "realm": "http-auth@example.org", "uri": "/dir/index.html", "nonce": Self.nonce,
                "nc": "00000001", "cnonce": Self.clientNonce, "qop": "auth", "response": response,
                "algorithm": algorithm,
                "opaque": Self.opaque,
            ]
        )
    }

    /// RFC 2617, section 3.5.
    @Test func `a server that names no algorithm means MD5 and is told none back`() throws {
        let reply = try reply(
            #"realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#,
            clientNonce: "0a4f113b"
        )
        let parameters = try parameters(reply, "Mufasa", "Circle Of Life", "GET /dir/index.html")
        #expect(parameters["response"] == "6629fae49393a05397450978507c4ef1")
        #expect(parameters["algorithm"] == nil)
        #expect(parameters["opaque"] == nil)
    }

    @Test func `method, target and count are part of the proof`() throws {
        let reply = try reply(
            #"realm="http-auth@example.org", qop=auth, algorithm="sha-256", nonce="\#(Self.nonce)""#,
            count: 10
        )
        let parameters = try parameters(reply, "Mufasa", "Circle of Life", "POST /a%20b?c=d")
        #expect(parameters["nc"] == "0000000a")
        #expect(parameters["response"] == "b3627492792e19ec58755d8134c69f8b7458667bc7a6a04fa4875b8e16f5e1b9")
        #expect(parameters["algorithm"] == "SHA-256")
    }

    /// User, realm and nonces are those of RFC 7616, section 3.9.2; with SHA-256 in the place of SHA-512/256.
    @Test func `a user name is hashed where the server takes that`() throws {
        let reply = try reply(
            #"realm="api@example.org", qop="auth", algorithm=SHA-256, userhash=true, charset=UTF-8, "#
                + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK""#,
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm"
        )
        let parameters = try parameters(reply, "Jäsøn Doe", "Secret, or not?", "GET /doe.json")
        #expect(parameters["username"] == "5a1a8a47df5c298551b9b42ba9b05835174a5bd7d511ff7fe9191d8e946fc4e7")
        #expect(parameters["userhash"] == "true")
        #expect(parameters["response"] == "06d0c14162099f487a92ebceaf71097534ee5f90d858386449c337ab69f7f6b8")
    }

    @Test func `a user name beyond ASCII is encoded where it is not hashed`() throws {
        let reply = try reply(#"realm="r", qop="auth", nonce="n", charset=UTF-8"#)
        let parameters = try parameters(reply, "Jäsøn Doe", "p", "GET /")
        #expect(parameters["username*"] == "UTF-8''J%C3%A4s%C3%B8n%20Doe")
        #expect(parameters["username"] == nil)
    }

    @Test func `quotation marks and backslashes are escaped in the field, not in the proof`() throws {
        let reply = try reply(#"realm="x \"y\"", qop="auth", nonce="n""#, clientNonce: "c")
        let credential = try PasswordCredential(user: #"a"b\c"#, password: "p")
        let value = try reply.authorization(credential, method: "GET", target: "/")
        #expect(value.hasPrefix(#"Digest username="a\"b\\c", realm="x \"y\"", uri="/""#))
        #expect(value.contains(#"response="b73b7591d86f7dc3ff655e8b374564e8""#))
    }
}
