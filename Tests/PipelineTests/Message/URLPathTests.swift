import Foundation
import Pipeline
import Testing

struct URLPathTests {
    @Test(arguments: [
        ("https://a.test/api/v1", "users", "https://a.test/api/v1/users"),
        ("https://a.test/api/v1/", "users", "https://a.test/api/v1/users"),
        ("https://a.test/api/v1", "/users", "https://a.test/api/v1/users"),
        ("https://a.test/api/v1/", "/users", "https://a.test/api/v1/users"),
        ("https://a.test", "users", "https://a.test/users"), ("https://a.test/", "/users", "https://a.test/users"),
        ("https://a.test/api/v1", "users/", "https://a.test/api/v1/users/"),
        ("https://a.test/api/v1", "/users/7/", "https://a.test/api/v1/users/7/"),
        ("https://a.test/api/v1", "", "https://a.test/api/v1"),
        ("https://a.test/api/v1/", "", "https://a.test/api/v1/"),
        ("https://a.test", "", "https://a.test"), ("https://a.test/api", "/", "https://a.test/api"),
        ("https://a.test/api?k=1", "users", "https://a.test/api/users?k=1"),
        ("https://a.test/api/?k=a+b%2f#f", "/users", "https://a.test/api/users?k=a+b%2f#f"),
        ("https://a.test?k=1", "users", "https://a.test/users?k=1"),
        ("https://a.test/api#f/g?h", "users", "https://a.test/api/users#f/g?h"),
        ("https://a.test/%7ea//b%2Fc", "d", "https://a.test/%7ea//b%2Fc/d"),
        ("https://a.test/a//", "d", "https://a.test/a//d"), ("https://a.test/a/../b", "d", "https://a.test/a/../b/d"),
        ("https://a.test/api", "a%20b", "https://a.test/api/a%2520b"),
        ("https://a.test/api", "a b", "https://a.test/api/a%20b"),
        ("https://a.test/api", "a+b", "https://a.test/api/a%2Bb"),
        ("https://a.test/api", "é/日本", "https://a.test/api/%C3%A9/%E6%97%A5%E6%9C%AC"),
        ("https://a.test/api", "a:b@c;d=e,f!$&'()*", "https://a.test/api/a:b@c;d=e,f!$&'()*"),
        ("https://a.test/api", "...", "https://a.test/api/..."),
        ("https://a.test/api", "%2e%2e", "https://a.test/api/%252e%252e"),
        ("https://a.test/api", "a\\b", "https://a.test/api/a%5Cb"),
        ("https://a.test/api", "a\r\nb", "https://a.test/api/a%0D%0Ab"),
        ("https://a.test/api", "[x]{y}|\"<>^`", "https://a.test/api/%5Bx%5D%7By%7D%7C%22%3C%3E%5E%60"),
        ("https://a.test/api", "a/\u{301}b", "https://a.test/api/a/%CC%81b"),
        ("https://a.test/api", "mailto:x", "https://a.test/api/mailto:x"),
        ("http://[::1]:8080", "users", "http://[::1]:8080/users"),
        ("http://[fe80::1%25en0]/a", "b", "http://[fe80::1%25en0]/a/b"),
        ("https://u:p@a.test/a", "b", "https://u:p@a.test/a/b"), ("http://", "users", "http:///users"),
    ])
    func `B25: appends the path's segments to the base's`(base: String, path: String, expected: String) throws {
        let url = try #require(URL(string: base))
        #expect(url.absoluteString == base)
        #expect(try url.joining(path).absoluteString == expected)
    }

    @Test(arguments: [
        "users?x=2", "?", "users#f", "../x", "a/../b", "..", ".", "./a", "a/.", "a//b", "a//", "//other.test/x", "//",
        "///a",
        "http://other.test/", "HTTPS://other.test", "a+b-c.1://x", "users?\u{301}x", "users#\u{301}", "/..", "/./",
        "a/../",
    ])
    func `B25: refuses a path that leads elsewhere or was meant otherwise`(path: String) throws {
        let base = try #require(URL(string: "https://a.test/api"))
        #expect(throws: MalformedValue.self) { try base.joining(path) }
    }

    @Test func `says what to do instead, and shows neither query nor password`() throws {
        let base = try #require(URL(string: "https://a.test/api"))
        let query = #expect(throws: MalformedValue.self) { try base.joining("users?token=canary") }
        #expect(query?.name == "users?…")
        #expect(query?.reason.contains("appending(query:)") == true)
        let host = #expect(throws: MalformedValue.self) { try base.joining("http://user:canary@other.test/x") }
        #expect(host?.name == "http://other.test/x")
        let both = #expect(throws: MalformedValue.self) { try base.joining("http://u:canary@other.test?canary") }
        #expect(both?.name == "http://other.test?…")
        let segment = #expect(throws: MalformedValue.self) { try base.joining("a/../b") }
        #expect(segment?.name == ".." && segment?.reason.contains("segment 2 of 3") == true)
    }

    @Test(arguments: [
        (["users"], "/api/users"), (["users", ""], "/api/users/"), ([], "/api"), (["a/b"], "/api/a%2Fb"),
        (["a?b"], "/api/a%3Fb"), (["a#b"], "/api/a%23b"), (["a%b"], "/api/a%25b"), (["a%2Fb"], "/api/a%252Fb"),
        (["a+b"], "/api/a%2Bb"), (["a b"], "/api/a%20b"), (["/"], "/api/%2F"), (["//"], "/api/%2F%2F"),
        (["../.."], "/api/..%2F.."), (["..a", "...", ".a"], "/api/..a/.../.a"), (["é"], "/api/%C3%A9"),
        (["🎉", "日"], "/api/%F0%9F%8E%89/%E6%97%A5"), (["\r\n"], "/api/%0D%0A"), (["\u{0}"], "/api/%00"),
        (["http://x"], "/api/http:%2F%2Fx"), (["a\\b"], "/api/a%5Cb"), (["..\u{301}"], "/api/..%CC%81"),
        ([" "], "/api/%20"),
    ])
    func `takes segments as data`(segments: [String], path: String) throws {
        for base in ["https://a.test/api", "https://a.test/api?k=1#f"] {
            let tail = base.dropFirst("https://a.test/api".count)
            let url = try #require(URL(string: base))
            #expect(try url.appending(segments: segments).absoluteString == "https://a.test\(path)\(tail)")
        }
    }

    @Test(arguments: [
        ["."], [".."], [""], ["", "a"], ["a", "", "b"], ["a", "..", "b"], ["a", "."], ["", ""], ["a", "", ""],
    ])
    func `refuses segments that lead to another path`(segments: [String]) throws {
        let base = try #require(URL(string: "https://a.test/api"))
        let error = #expect(throws: MalformedValue.self) { try base.appending(segments: segments) }
        #expect(error?.kind == "path segment")
    }

    @Test func `takes segments one by one`() throws {
        let base = try #require(URL(string: "https://a.test"))
        #expect(try base.appending(segments: "files", "a/b").absoluteString == "https://a.test/files/a%2Fb")
    }

    @Test func `never turns data into a host`() throws {
        for base in ["http://", "http:///", "https:"] {
            let url = try #require(URL(string: base))
            #expect(try (url.appending(segments: "evil.test").host() ?? "").isEmpty)
        }
    }
}
