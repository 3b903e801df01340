import Foundation
import Pipeline
import Testing

struct OriginTests {
    @Test(arguments: [
        ("https://api.test", "https://api.test"), ("HTTPS://API.Test:443/a?b#c", "https://api.test"),
        ("http://api.test:80", "http://api.test"), ("http://api.test:443", "http://api.test:443"),
        ("https://api.test:8443/", "https://api.test:8443"), ("https://api.test.", "https://api.test"),
        ("https://user:pw@api.test/", "https://api.test"), ("https://api.test:", "https://api.test"),
        ("wss://api.test", "wss://api.test"), ("ws://api.test:80", "ws://api.test"), ("x://a:1", "x://a:1"),
        ("http://ex%61mple.test", "http://example.test"), ("http://xn--bcher-kva.test", "http://xn--bcher-kva.test"),
        ("http://[::1]:8080/", "http://[::1]:8080"), ("http://[0:0:0:0:0:0:0:1]", "http://[::1]"),
        ("http://[2001:DB8:0:0::0001]", "http://[2001:db8::1]"),
        ("http://[::ffff:7f00:1]", "http://[::ffff:127.0.0.1]"),
        ("http://[fe80::1%25en0]", "http://[fe80::1%25en0]"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://a_b.test", "http://a_b.test"),
    ])
    func `writes every origin in one way`(url: String, origin: String) {
        #expect(Origin(url)?.description == origin)
        #expect(Origin(url) == Origin(origin))
        #expect(URL(string: url).flatMap { Origin($0) } == Origin(origin))
    }

    @Test(arguments: [
        "", "api.test", "/users", "//api.test/", "mailto:a@b.test", "x://a", "http://", "http:///users", "http://.",
        "http://a.test..",
        "http://a.test:65536", "http://good.test%2F.evil.test", "http://good.test%40evil.test", "http://a%20b",
        "http://a%00b", "http://a%FFb", "http://a%3Ab", "http://%3A%3A1", "http://%E2%84%AA.test", "http://[v1.a]",
        "http://[::1%25a%2Fb]", "http://a b", "user:pw@api.test", "http://a.test%25.evil.test", "http://a%5C.test",
        "http://%22a.test:42", "http://a%7Bb%7D.test", "http://a%60.test", "http://[::1%25%22]",
    ])
    func `has none where there is no host that could be one`(url: String) {
        #expect(Origin(url) == nil)
        #expect(URL(string: url).flatMap { Origin($0) } == nil)
    }

    @Test func `reads a name outside ASCII as the punycode that is sent`() {
        #expect(Origin(URL(string: "http://bücher.test/")!)?.host == "xn--bcher-kva.test")
    }

    @Test(arguments: [
        ("https://a.test", "http://a.test"), ("https://a.test", "https://a.test:8443"),
        ("https://a.test", "https://b.a.test"), ("https://a.test", "wss://a.test"),
        ("http://127.0.0.1", "http://127.1"), ("http://[::1]", "http://[::2]"),
    ])
    func `differs by scheme, host and port`(one: String, other: String) throws {
        #expect(try #require(Origin(one)) != #require(Origin(other)))
    }

    @Test(arguments: [
        ("http://localhost:8080", true), ("http://LOCALHOST.", true), ("http://a.b.localhost", true),
        ("http://127.0.0.1", true), ("http://127.255.255.254", true), ("http://[::1]", true), ("http://[0::1]", true),
        ("http://localhost.evil.test", false), ("http://notlocalhost", false), ("http://127.evil.test", false),
        ("http://127.0.0.1.evil.test", false), ("http://127.0.0.256", false), ("http://127.0.0.+1", false),
        ("http://127.0.0", false), ("http://127.0.0.", false), ("http://128.0.0.1", false), ("http://[::2]", false),
        ("http://0.0.0.0", false), ("http://a.test", false),
    ])
    func `knows this machine`(url: String, isLoopback: Bool) throws {
        #expect(try #require(Origin(url)).isLoopback == isLoopback)
    }

    @Test func `knows the schemes that protect`() {
        #expect(
            ["https", "wss", "http", "ws"].map { Origin("\($0)://a.test")!.isSecure } == [true, true, false, false]
        )
    }
}
