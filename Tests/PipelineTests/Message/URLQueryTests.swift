import Foundation
import Pipeline
import Testing

struct URLQueryTests {
    @Test(arguments: [
        ("https://a.test", "https://a.test?k=v%20%2B"), ("https://a.test/", "https://a.test/?k=v%20%2B"),
        ("https://a.test/p?", "https://a.test/p?k=v%20%2B"), ("https://a.test/p?x=1", "https://a.test/p?x=1&k=v%20%2B"),
        ("https://a.test/p?x=1&", "https://a.test/p?x=1&k=v%20%2B"),
        ("https://a.test/p?&", "https://a.test/p?&k=v%20%2B"),
        ("https://a.test/p?x=a+b%20c%2b", "https://a.test/p?x=a+b%20c%2b&k=v%20%2B"),
        ("https://a.test/p?x=1#f", "https://a.test/p?x=1&k=v%20%2B#f"),
        ("https://a.test/p#f?x", "https://a.test/p?k=v%20%2B#f?x"),
        ("https://a.test/p?x=?&y=/", "https://a.test/p?x=?&y=/&k=v%20%2B"),
        ("https://a.test/p?flag", "https://a.test/p?flag&k=v%20%2B"),
        ("https://a.test/p?b=2&a=1&b=3", "https://a.test/p?b=2&a=1&b=3&k=v%20%2B"),
        ("https://a.test/%7euser/%2F", "https://a.test/%7euser/%2F?k=v%20%2B"),
        ("https://a.test/p?x=%5B", "https://a.test/p?x=%5B&k=v%20%2B"),
        ("https://a.test/p?x=;,:@!$'()*", "https://a.test/p?x=;,:@!$'()*&k=v%20%2B"),
        ("http://[::1]:80/p", "http://[::1]:80/p?k=v%20%2B"),
        ("http://[fe80::1%25en0]/", "http://[fe80::1%25en0]/?k=v%20%2B"),
        ("https://u:p@a.test/p", "https://u:p@a.test/p?k=v%20%2B"),
        ("HTTPS://A.test/P", "HTTPS://A.test/P?k=v%20%2B"), ("/p", "/p?k=v%20%2B"), ("?x=1", "?x=1&k=v%20%2B"),
        ("https://xn--bcher-kva.test/", "https://xn--bcher-kva.test/?k=v%20%2B"),
    ])
    func `B24: leaves every byte that is there already`(base: String, expected: String) throws {
        let url = try #require(URL(string: base))
        #expect(url.absoluteString == base)
        #expect(url.appending(query: ["k": "v +"]).absoluteString == expected)
        #expect(url.appending(query: [:]).absoluteString == base)
        #expect(url.appending(query: ["k": nil]).absoluteString == base)
    }

    @Test(arguments: [
        "http://a.test/?a=[b%20c", "http://bücher.test/é?x=日", "http://a.test/a|b#c#d", "http://a.test/%zz",
    ])
    func `takes what Foundation made of other text as it is`(text: String) throws {
        let url = try #require(URL(string: text))
        let longer = url.appending(query: .flag("k"))
        #expect(longer.absoluteString.replacing("?k", with: "").replacing("&k", with: "") == url.absoluteString)
    }

    @Test func `resolves a relative URL first`() throws {
        let url = try #require(URL(string: "b", relativeTo: URL(string: "https://a.test/x/y?z")))
        #expect(url.appending(query: ["k": 1]).absoluteString == "https://a.test/x/b?k=1")
    }
}
