import Foundation
import Pipeline
import Testing

/// B38: which hosts a pattern stands for.
struct HostPatternTests {
    /// How a pattern names a host, and that host as the origin of a URL has it.
    static let same = [
        ("api.test", "api.test"), ("API.Test", "api.test"), ("api.test.", "api.test"), ("API.TEST.", "api.test"),
        ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"),
        ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8:0:0::0001", "2001:db8::1"), ("[2001:DB8::1]", "2001:db8::1"),
        ("xn--bcher-kva.test", "xn--bcher-kva.test"), ("bücher.test", "xn--bcher-kva.test"), ("a_b.test", "a_b.test"),
    ]

    static let different = [
        ("api.test", "b.api.test"), ("b.api.test", "api.test"), ("api.test", "notapi.test"),
        ("api.test", "api.test.evil.test"), ("api.test", "api-test"), ("test", "api.test"),
        (".api.test", "b.api.test"), ("127.0.0.1", "127.1"), ("127.1", "127.0.0.1"), ("::1", "::2"),
    ]

    /// What is neither a host nor a pattern.
    static let none = [
        "", ".", "api.test..", "api.test/", "api.test:443", "user@api.test", "https://api.test", "*", "**", "*.", "**.",
        "api.test#", "api.test?", "api test", "api.test\\", "[api.test]", "[::1]:443", "[::1", "::1]", "api.test\n",
        "api%2Ftest", "%2A.api.test", ":443", "*api.test", "api.*.test", "api.*", "***.api.test", "*.*.api.test",
        "*.**.test", "*.127.0.0.1", "*.0.0.1", "api.test/\u{301}x", "api.test?\u{301}", "ada@\u{301}api.test", "**.1",
        "**.::1", "*.[::1]", "::1%2A}a", "*.0x7f.1", "*.0x1",
    ]

    static let standFor = [
        ("*.example.com", "api.example.com"), ("*.example.com", "API.EXAMPLE.COM"),
        ("*.Example.COM", "api.example.com"),
        ("*.example.com", "api.example.com."), ("*.example.com.", "api.example.com"), ("*.com", "example.com"),
        ("**.example.com", "api.example.com"), ("**.example.com", "v1.api.example.com"),
        ("**.example.com", "a.b.c.d.example.com"), ("**.com", "api.example.com"),
        ("*.bücher.test", "www.xn--bcher-kva.test"), ("*.xn--bcher-kva.test", "www.bücher.test"),
        ("**.test", "bücher.test"), ("*.localhost", "app.localhost"),
        ("*.example.com", "xn--bcher-kva.example.com"),
    ]

    static let doNotStandFor = [
        // The name itself, and other depths.
        ("*.example.com", "example.com"), ("**.example.com", "example.com"), ("*.example.com", "v1.api.example.com"),
        // Names that only look alike.
        ("*.domain.com", "api.domain.net"), ("*.example.com", "a.example.com.notexample.com"),
        ("**.example.com", "a.example.com.notexample.com"), ("**.example.com", "api.notexample.com"),
        ("*.example.com", "notexample.com"), ("*.example.com", "api-example.com"), ("*.example.com", "apiexample.com"),
        ("**.example.com", "example.com.evil.net"), ("*.example.com", "api.example.com:443"),
        ("*.example.com", "api.example.com@evil.net"), ("**.bücher.test", "www.bucher.test"),
        // Empty labels.
        ("*.example.com", ".example.com"), ("**.example.com", ".example.com"), ("**.example.com", "a..example.com"),
        ("**.example.com", ""), ("*.example.com", "."),
        // Addresses.
        ("*.example.com", "192.0.2.1"), ("**.com", "::1"), ("*.example.com", "1.2.3"),
    ]

    @Test(arguments: same)
    func `stands for a host however its name is written`(name: String, host: String) throws {
        #expect(try HostPattern(name).matches(host))
        #expect(try HostPattern(name) == HostPattern(host))
    }

    @Test(arguments: different)
    func `a name stands for no other host`(name: String, host: String) throws {
        #expect(try !HostPattern(name).matches(host))
    }

    @Test(arguments: standFor)
    func `a star stands for one label, two stars for one or more`(pattern: String, host: String) throws {
        #expect(try HostPattern(pattern).matches(host))
        #expect(PinRules(dictionaryLiteral: (try HostPattern(pattern), .exempt)).rule(for: host) == .exempt)
    }

    @Test(arguments: doNotStandFor)
    func `and for nothing else`(pattern: String, host: String) throws {
        #expect(try !HostPattern(pattern).matches(host))
        #expect(PinRules(dictionaryLiteral: (try HostPattern(pattern), .exempt)).rule(for: host) == nil)
    }

    @Test(arguments: none)
    func `refuses what is none, a literal when it is used`(text: String) {
        let error = #expect(throws: MalformedValue.self) { try HostPattern(text) }
        #expect(error?.kind == "host of a TLS policy")
        let literal = HostPattern(stringLiteral: text)
        for host in ["api.test", "127.0.0.1", "::1", "", text] { #expect(!literal.matches(host)) }
    }

    @Test(arguments: [
        ("API.test.", "api.test"), ("*.API.test", "*.api.test"), ("**.bücher.test", "**.xn--bcher-kva.test"),
        ("[::1]", "::1"), ("fe80::1%en0", "fe80::1%en0"), ("[fe80::1%25en0]", "fe80::1%en0"),
        ("fe80::1%41", "fe80::1%41"), ("[fe80::1%252541]", "fe80::1%2541"), ("fe80::1%25", "fe80::1%25"),
    ])
    func `is written in one way`(text: String, description: String) throws {
        #expect(try HostPattern(text).description == description)
        #expect(try HostPattern(description).description == description)
    }

    @Test func `prints a malformed literal without control characters`() {
        let pattern: HostPattern = "a\u{1B}[2J\nb"
        #expect(pattern.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
