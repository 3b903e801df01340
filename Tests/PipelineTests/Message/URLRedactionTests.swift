import Foundation
import Pipeline
import Testing

struct URLRedactionTests {
    @Test(arguments: [
        ("https://a.test/p", "https://a.test/p"), ("https://a.test/p?token=canary", "https://a.test/p?…"),
        ("https://a.test/p?", "https://a.test/p?…"), ("https://a.test/p#canary", "https://a.test/p"),
        ("https://a.test/p?canary#canary", "https://a.test/p?…"),
        ("https://a.test/p#canary?canary", "https://a.test/p"),
        ("https://user:canary@a.test:8443/p", "https://a.test:8443/p"), ("https://canary@a.test", "https://a.test"),
        ("https://u:canary%40b@a.test/x@y", "https://a.test/x@y"), ("https://a.test/x@y", "https://a.test/x@y"),
        ("https://u:canary@[::1]:80/", "https://[::1]:80/"), ("//u:canary@a.test/p", "//a.test/p"),
        ("canary:canary@a.test/p", "a.test/p"), ("mailto:canary@a.test", "a.test"), ("/a/b@c", "/a/b@c"),
        ("https://u:canary@a.test?q", "https://a.test?…"), ("users/a@b", "users/a@b"),
        ("https://a.test", "https://a.test"),
        ("a/b//c:canary@d", "a/b//c:canary@d"), ("https://a.test/http://u@b", "https://a.test/http://u@b"),
    ])
    func `S2: shows neither user, password, query nor fragment`(url: String, shown: String) throws {
        #expect(try #require(URL(string: url)).redacted == shown)
    }

    @Test func `shows the URL that a relative one stands for`() throws {
        let base = try #require(URL(string: "https://u:canary@a.test/x?canary"))
        #expect(try #require(URL(string: "y?canary", relativeTo: base)).redacted == "https://a.test/y?…")
    }
}
