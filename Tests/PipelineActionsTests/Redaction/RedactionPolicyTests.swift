import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

struct RedactionPolicyTests {
    let policy = RedactionPolicy.standard

    @Test(arguments: [
        ("https://api.test/users?page=2&sort=name", "https://api.test/users?page=2&sort=name"),
        ("https://ada:zq9@api.test/", "https://<redacted>@api.test/"),
        ("https://ada@api.test/", "https://<redacted>@api.test/"),
        ("https://a@b:zq9@api.test/x", "https://<redacted>@api.test/x"),
        ("https://api.test/?access_token=zq9&page=2", "https://api.test/?access_token=<redacted>&page=2"),
        ("https://api.test/?page=2&Access-Token=zq9", "https://api.test/?page=2&Access-Token=<redacted>"),
        ("https://api.test/?access%5Ftoken=zq9", "https://api.test/?access%5Ftoken=<redacted>"),
        ("https://api.test/?access%255Ftoken=zq9", "https://api.test/?access%255Ftoken=<redacted>"),
        ("https://api.test/?user%5Bpassword%5D=zq9", "https://api.test/?user%5Bpassword%5D=<redacted>"),
        ("https://api.test/?next=https%3A%2F%2Fa%3Azq9%40b.test", "https://api.test/?next=<redacted>"),
        ("https://api.test/?q=%7B%22password%22%3A%22zq9%22%7D", "https://api.test/?q=<redacted>"),
        ("https://api.test/?a=1;password=zq9", "https://api.test/?a=<redacted>"),
        ("https://api.test/?token", "https://api.test/?token"),
        ("https://api.test/?token=", "https://api.test/?token="),
        ("https://api.test/a#access_token=zq9", "https://api.test/a#<redacted>"),
        ("https://api.test/a;jsessionid=zq9", "https://api.test/a;jsessionid=<redacted>"),
        ("/next?code=zq9", "/next?code=<redacted>"),
        ("//ada:zq9@api.test/x", "//<redacted>@api.test/x"),
        ("ada:zq9@api.test/x", "<redacted>@api.test/x"),
        ("?code=zq9", "?code=<redacted>"),
        ("https://api.test/users/ada@example.com", "https://api.test/users/ada@example.com"),
        ("", ""),
    ])
    func `takes secrets out of URLs`(url: String, expected: String) {
        #expect(policy.redacted(url: url) == expected)
    }

    @Test(arguments: [
        ("Authorization", "Bearer zq9", "Bearer <redacted>"),
        ("authorization", "zq9", "<redacted>"),
        ("Authorization", "zq9 zq9", "<redacted>"),
        ("Authorization", "Digest username=\"ada\", response=\"zq9\"", "Digest <redacted>"),
        ("Proxy-Authorization", "Basic zq9", "Basic <redacted>"),
        ("Cookie", "a=zq9; b=zq9; zq9", "a=<redacted>; b=<redacted>; <redacted>"),
        ("Set-Cookie", "id=zq9; Path=/; HttpOnly; zq9=1", "id=<redacted>; Path=/; HttpOnly; zq9=<redacted>"),
        ("Set-Cookie", "path=zq9; Path=/", "path=<redacted>; Path=/"),
        // An accent makes another character of the sign before it, but no other sign.
        ("Cookie", "a=\u{301}zq9;\u{301}b=zq9", "a=<redacted>; \u{301}b=<redacted>"),
        ("Set-Cookie", "a=zq9; path=/;\u{301}zq9=zq9", "a=<redacted>; path=/; \u{301}zq9=<redacted>"),
        ("Authorization", "Bearer \u{301}zq9", "Bearer <redacted>"),
        ("Location", "https://a:zq9@b.test/?code=zq9#zq9", "https://<redacted>@b.test/?code=<redacted>#<redacted>"),
        ("Link", "<https://b.test/?page=2&token=zq9>; rel=next", "<https://b.test/?page=2&token=<redacted>>; rel=next"),
        ("X-Api-Key", "zq9", "<redacted>"),
        ("X-My-Secret", "zq9", "<redacted>"),
        ("X-Auth", "zq9", "<redacted>"),
        ("X-GitHub-OTP", "123456", "<redacted>"),
        ("X-PIN", "1234", "<redacted>"),
        ("Authentication", "zq9", "<redacted>"),
        ("DD-Application-Key", "zq9", "<redacted>"),
        ("X-Master-Key", "zq9", "<redacted>"),
        ("Cache-Key", "abc", "abc"),
        ("X-Forwarded-Authorization", "Bearer zq9", "<redacted>"),
        ("X-Anything", "Bearer zq9.zq9", "Bearer <redacted>"),
        ("WWW-Authenticate", "Digest realm=\"api\", nonce=\"abc\"", "Digest realm=\"api\", nonce=\"abc\""),
        (
            "WWW-Authenticate", "Bearer realm=\"api\", error=\"invalid_token\"",
            "Bearer realm=\"api\", error=\"invalid_token\""
        ),
        ("WWW-Authenticate", "Negotiate zq9zq9zq9==", "Negotiate <redacted>"),
        ("Content-Type", "text/plain; charset=utf-8", "text/plain; charset=utf-8"),
        ("Idempotency-Key", "7f", "7f"),
        ("ETag", "\"abc\"", "\"abc\""),
    ])
    func `takes secrets out of fields and leaves what helps`(name: String, value: String, expected: String) {
        #expect(policy.redactedValue(of: HTTPField(name: HTTPFieldName(name), value: value)) == expected)
    }

    @Test func `a mark and a list of one's own count for any field`() {
        var policy = policy
        policy.headerNames.insert("X-Customer")
        #expect(policy.redactedValue(of: HTTPField(name: "x-customer", value: "zq9")) == "<redacted>")
        for name in ["X-Mine", "Location", "Cookie"] as [HTTPFieldName] {
            let field = HTTPField(name: name, value: "zq9", isSensitive: true)
            #expect(!policy.redactedValue(of: field).contains("zq9"))
        }
    }

    @Test(arguments: [
        ("a=1&password=zq9&b=2", "a=1&password=<redacted>&b=2"),
        ("grant_type=refresh_token&refresh_token=zq9", "grant_type=refresh_token&refresh_token=<redacted>"),
        ("password", "password"),
        ("&&=zq&", "&&=zq&"),
        ("password=\u{301}zq9&\u{301}b=2", "password=<redacted>&\u{301}b=2"),
        ("a=1&\u{301}password=zq9", "a=1&\u{301}password=<redacted>"),
    ])
    func `takes secrets out of forms`(form: String, expected: String) {
        #expect(policy.redacted(form: form) == expected)
    }

    @Test(arguments: [
        ("token = zq9 next", "token = <redacted> next"),
        ("the token: expired", "the token: expired"),
        ("the token: \"zq9\" is old", "the token: \"<redacted>\" is old"),
        (#"{p\u0061ssword: zq9 zq9, a: 1}"#, #"{p\u0061ssword: <redacted>"#),
        ("http://localhost:8080", "http://localhost:8080"),
        ("https://ada:zq9", "https://<redacted>"),
        ("Password: zq9 zq9\nNext: 1", "Password: <redacted>\nNext: 1"),
        ("'secret' => 'zq9'", "'secret' => '<redacted>'"),
        (#"{"a": 1, "my password": "zq\"9", "b": 2"#, #"{"a": 1, "my password": "<redacted>", "b": 2"#),
        (#"{"password":{"a":"zq9}","b":[1]},"c":2}"#, #"{"password":<redacted>,"c":2}"#),
        (#"log: {\"password\":\"zq9\",\"b\":2}"#, #"log: {\"password\":\"<redacted>\",\"b\":2}"#),
        ("see https://ada:zq9@api.test/ and", "see https://<redacted>@api.test/ and"),
        ("curl -H 'Authorization: Bearer zq9.zq9'", "curl -H 'Authorization: <redacted>"),
        ("Basic authentication failed", "Basic authentication failed"),
        ("got eyJhbGciOiJIUzI1NiJ9.zq9.zq9 here", "got <redacted> here"),
        ("<a><password>zq9</password><b>1</b></a>", "<a><password><redacted></password><b>1</b></a>"),
        ("<s:Password Type=\"zq9\">zq9</s:Password>", "<s:Password<redacted>><redacted></s:Password>"),
        ("<password/>x", "<password/>x"),
        ("<input type=\"hidden\" value=\"zq9\" name=\"csrf_token\"><p>", "<input<redacted>><p>"),
        ("<input name=\"city\" value=\"Ulm\">", "<input name=\"city\" value=\"Ulm\">"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nzq9\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----"
        ),
        ("%7B%22password%22%3A%22zq9%22%7D", "<redacted>"),
        ("<div data-page=\"{&quot;token&quot;:&quot;zq9&quot;}\">", "<div data-page=\"{\"token\":\"<redacted>\"}\">"),
        ("{&amp;#34;token&amp;#34;:&amp;#34;zq9 zq9&amp;#34;}", "{\"token\":\"<redacted>\"}"),
        ("<x>&lt;password&gt;zq9&lt;/password&gt;</x>", "<x><password><redacted></password></x>"),
        ("password=\"a&quot;zq9\"", "password=\"<redacted>\""),
        (#"parse("{\u0022token\u0022:\u0022zq9\u0022}")"#, #"parse("{"token":"<redacted>"}")"#),
        (#"parse('{\x22token\x22:\x22zq9\x22}')"#, #"parse('{"token":"<redacted>"}')"#),
        ("caf&eacute; &amp; b", "caf&eacute; &amp; b"),
        ("AccountName=a;AccountKey=zq9==;Suffix=b", "AccountName=a;AccountKey=<redacted>;Suffix=b"),
        ("password=null&x", "password=null&x"),
        ("password=", "password="),
        ("", ""),
    ])
    func `takes secrets out of texts`(text: String, expected: String) {
        #expect(policy.redacted(text) == expected)
    }

    @Test(arguments: [
        (#"{"a": "b", "n": 1.50, "l": [null, true]}"#, #"{"a": "b", "n": 1.50, "l": [null, true]}"#),
        (#"{"user":{"Password":"zq9"},"b":1}"#, #"{"user":{"Password":"<redacted>"},"b":1}"#),
        (#"[{"token":["zq9","zq9"]},{"pin":1234}]"#, #"[{"token":"<redacted>"},{"pin":"<redacted>"}]"#),
        (#"{"pass\u0077ord":"zq9"}"#, #"{"pass\u0077ord":"<redacted>"}"#),
        (#"{"token":null,"session":true}"#, #"{"token":null,"session":true}"#),
        (#"{"body":"{\"password\":\"zq9\"}"}"#, #"{"body":"{\"password\":\"<redacted>\"}"}"#),
        (#"{"next":"https://a:zq9@b.test/?code=zq9"}"#, #"{"next":"https://<redacted>@b.test/?code=<redacted>"}"#),
        (#"{"password":"zq9",}"#, #"{"password":"<redacted>",}"#),
        (#"{"a":1} {"password":"zq9"}"#, #"{"a":1} {"password":"<redacted>"}"#),
        (#"{"password" = "zq9"}"#, #"{"password" = "<redacted>"}"#),
        (#"{"password": [1, zq9], "b": 1}"#, #"{"password": "<redacted>""#),
        (#"{"a": 1, "password": "zq9"#, #"{"a": 1, "password": "<redacted>""#),
        ("\u{FEFF}{\"password\":\"zq9\"}", "{\"password\":\"<redacted>\"}"),
    ])
    func `takes secrets out of JSON and leaves its text`(json: String, expected: String) {
        #expect(policy.redacted(body: Data(json.utf8), contentType: "application/json") == expected)
        #expect(policy.redacted(body: Data(json.utf8), contentType: "text/plain") == expected)
    }

    /// Documents of every kind, with a secret in each place where one can be.
    static let documents: [(text: String, type: String)] = [
        (
            #"{"user": {"name": "Ada", "password": "zq9\"zq9"}, "tokens": [{"a": "zq9"}, "zq9"], "pin": 719, "ok": 1}"#,
            "json"
        ),
        (
            #"{"outer": "{\"inner\": \"{\\\"secret\\\": \\\"zq9\\\"}\", \"token\": \"zq9\"}", "key": {"a": {"b": "zq9"}}}"#,
            "json"
        ),
        (#"{"p\u0061ssword": "\u007aq9zq9", "url": "https://ada:zq9@h.test/?code=zq9&x=1"}"#, "json"),
        (#"{'password': 'zq9', secret: "zq9", broken"#, "json"),
        ("{\"password\": \"zq9\"}\n{\"token\": \"zq9\"}\n", "x-ndjson"),
        ("a=1&password=zq9&data=%7B%22token%22%3A%22zq9%22%7D&access_token=zq9", "x-www-form-urlencoded"),
        ("<r><password>zq9</password><k:token a=\"zq9\"><v>zq9</v></k:token><x secret='zq9'/></r>", "xml"),
        ("<a b=\"{&quot;token&quot;:&quot;zq9&quot;}\">&lt;password&gt;zq9&lt;/password&gt;</a>", "xml"),
        ("Authorization: Bearer zq9zq9.zq9\nname: x\nsecret=zq9 token='zq9' Cookie: zq9", "yaml"),
        ("data: {\"access_token\": \"zq9\"}\n\ndata: {\"a\": [\"zq\"]}\n\n", "json"),
    ]

    @Test(arguments: documents.indices)
    func `nothing of a secret shows wherever a document is cut off`(index: Int) throws {
        let (text, type) = Self.documents[index]
        let body = Data(text.utf8)
        for length in 0...body.count {
            let start = body.prefix(length)
            for isWhole in [true, false] {
                let shown = try #require(
                    policy.redacted(body: start, contentType: "application/\(type)", isWhole: isWhole)
                )
                #expect(!shown.contains("zq9") && !shown.contains("719"), "\(length): \(shown)")
            }
        }
    }

    @Test(arguments: documents.indices)
    func `damage makes no document fatal`(index: Int) {
        let body = Data(Self.documents[index].text.utf8)
        var generator = SeededGenerator(seed: UInt64(index))
        for _ in 0..<300 {
            var damaged = body
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = damaged.indices.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged.remove(at: place)
                case 1: damaged.insert(body.randomElement(using: &generator) ?? 0, at: place)
                default: damaged[place] = Array("{}[]\":,\\u%<>/@=&; \n".utf8).randomElement(using: &generator) ?? 0
                }
            }
            for type in ["application/json", "application/x-www-form-urlencoded", "text/plain"] {
                _ = policy.redacted(body: damaged, contentType: type, isWhole: Bool.random(using: &generator))
            }
        }
    }

    @Test func `nothing of a secret shows where a list in it is followed by nonsense`() {
        let json = Data(#"{"a": 1, "password": [1, "zq9"] nonsense, "b": {"token": {"a": "zq9"}} "c": 2}"#.utf8)
        #expect(policy.redacted(body: json, contentType: nil)?.contains("zq9") == false)
    }

    @Test(arguments: [
        (Data("plain".utf8), "image/png"), (Data([0x00, 0x01]), "text/plain"),
        (Data([0xFF, 0xFE, 0x41]), "text/plain"),
        (Data("\u{0}\u{0}\u{0}\u{18}ftypmp42".utf8), "text/html"), (Data([0x1F, 0x8B, 8]), "application/json"),
        (Data("x".utf8), "application/octet-stream"), (Data("x".utf8), "multipart/form-data; boundary=b"),
    ])
    func `what is no text has none, by its type or by its bytes`(body: Data, type: String) {
        #expect(policy.redacted(body: body, contentType: type) == nil)
    }

    @Test func `a character that was cut in two does not make a text binary`() {
        let body = Data("año €".utf8)
        for length in 0...body.count {
            #expect(policy.redacted(body: body.prefix(length), contentType: "text/plain", isWhole: false) != nil)
        }
    }

    @Test func `deep nesting is no harm`() throws {
        let text = String(repeating: #"{"a":["#, count: 50_000) + #"{"password":"zq9"}"#
        let shown = try #require(policy.redacted(body: Data(text.utf8), contentType: "application/json"))
        #expect(!shown.contains("zq9"))
    }

    @Test(arguments: [
        "%25", "%", "<input ", "</", "password", "password:", "<password>", "\"password\":", "{\"a\":", "eyJ",
        "Bearer ",
    ])
    func `what is repeated without end takes neither long nor much`(text: String) {
        let body = Data(String(repeating: text, count: 8_192 / text.count).utf8)
        for start in [Data(), Data("<token>".utf8), Data("[".utf8), Data("%25".utf8)] {
            #expect(policy.redacted(body: start + body, contentType: "text/plain") != nil)
        }
        let encoded = Data(("x=%" + String(repeating: "25", count: 8_000)).utf8)
        #expect(policy.redacted(body: encoded, contentType: "text/plain") == "x=<redacted>")
    }

    @Test func `a record that is as secret as what it records has all`() {
        let policy = RedactionPolicy.includingSecrets
        #expect(policy.includesSecrets)
        #expect(policy.redacted(url: "https://a:b@c/?token=d") == "https://a:b@c/?token=d")
        #expect(policy.redactedValue(of: HTTPField(name: .authorization, value: "x")) == "x")
        #expect(policy.redacted(body: Data(#"{"token":"x"}"#.utf8), contentType: nil) == #"{"token":"x"}"#)
    }
}
