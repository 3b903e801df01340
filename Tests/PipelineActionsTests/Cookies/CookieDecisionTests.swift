import Foundation
import Pipeline
import Testing

@testable import PipelineActions

struct CookieDecisionTests {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    static func decision(_ text: String, from url: String) -> CookieDecision {
        CookieDecision(on: text, from: CookieLocation(URL(string: url)!)!, at: now, largest: 4096)
    }

    func stored(_ text: String, from url: String = "https://www.shop.test/a/b?c") -> Cookie? {
        guard case .store(let cookie) = Self.decision(text, from: url) else { return nil }
        return cookie
    }

    // MARK: Taking fields apart

    @Test(arguments: [
        ("a=b", "a", "b"), (" a = b ", "a", "b"), ("a=b=c", "a", "b=c"), ("a=", "a", ""), ("a=\"b c\"", "a", "\"b c\""),
        ("a=b;", "a", "b"), ("a=b; Secure", "a", "b"), ("a\t=\tb\t; x", "a", "b"), ("a=b,c", "a", "b,c"),
        ("ä=ö", "ä", "ö"), ("a=b;\u{301}c=d", "a", "b"), ("a=1; a=2", "a", "1"),
    ])
    func `finds name and value`(text: String, name: String, value: String) {
        let cookie = stored(text)
        #expect(cookie?.name == name)
        #expect(cookie?.value == value)
    }

    @Test(arguments: [
        ("", CookieRefusal.malformed), ("a", .malformed), ("=b", .malformed), (" = b", .malformed),
        ("; a=b", .malformed),
        ("Secure; a=b", .malformed), ("a=b\u{0}", .controlCharacter), ("a=b\r\nc", .controlCharacter),
        ("a=b; Path=/\u{7F}", .controlCharacter),
    ])
    func `refuses what is no cookie`(text: String, refusal: CookieRefusal) {
        #expect(Self.decision(text, from: "https://shop.test/") == .refuse(name: nil, refusal))
    }

    @Test func `measures name and value, not attributes`() {
        let long = String(repeating: "x", count: 4095)
        #expect(stored("a=\(long); Secure; HttpOnly") != nil)
        #expect(Self.decision("a=\(long)x", from: "https://shop.test/") == .refuse(name: "a", .tooLarge))
    }

    @Test func `reads attributes in any letter case, and the last of each`() {
        let cookie = stored("a=b; SECURE; httponly; PATH=/x; path=/y; samesite=LAX; Expires=nonsense; nothing; =; x=y")
        #expect(cookie?.isSecure == true)
        #expect(cookie?.isHTTPOnly == true)
        #expect(cookie?.path == "/y")
        #expect(cookie?.sameSite == .lax)
        #expect(cookie?.expires == nil)
        #expect(stored("a=b; SameSite=Strict; SameSite=Odd")?.sameSite == nil)
    }

    // MARK: When it ends

    @Test(arguments: [
        ("a=b", nil), ("a=b; Max-Age=60", 60), ("a=b; Max-Age=060", 60), ("a=b; Max-Age=-60", Double.nan),
        ("a=b; Max-Age=0", .nan), ("a=b; Max-Age=+60", nil), ("a=b; Max-Age=6 0", nil), ("a=b; Max-Age=", nil),
        ("a=b; Max-Age=-", nil), ("a=b; Max-Age=99999999999999999999", .infinity),
        ("a=b; Max-Age=-99999999999999999999", .nan), ("a=b; Expires=Tue, 14 Nov 2023 22:13:30 GMT", 10),
        ("a=b; Max-Age=60; Expires=Tue, 14 Nov 2023 22:13:30 GMT", 60),
        ("a=b; Expires=Tue, 14 Nov 2023 22:13:30 GMT; Max-Age=60", 60),
        ("a=b; Expires=Tue, 14 Nov 2023 22:13:30 GMT; Max-Age=x", 10),
        ("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", -1_700_000_000),
    ])
    func `knows when a cookie ends, Max-Age before Expires`(text: String, seconds: Double?) {
        let expected: Date? = seconds.map { seconds in
            if seconds.isNaN { .distantPast } else if seconds.isInfinite { .distantFuture } else { Self.now + seconds }
        }
        let cookie = stored(text)
        #expect(cookie != nil)
        #expect(cookie?.expires == expected)
    }

    // MARK: Where it goes

    @Test(arguments: [
        ("https://shop.test", "/"), ("https://shop.test/", "/"), ("https://shop.test/a", "/"),
        ("https://shop.test/a/", "/a"), ("https://shop.test/a/b?c/d", "/a"), ("https://shop.test/a%2Fb/c", "/a%2Fb"),
    ])
    func `without a path it is for the folder of the URL`(url: String, path: String) {
        #expect(stored("a=b", from: url)?.path == path)
        #expect(stored("a=b; Path", from: url)?.path == path)
        #expect(stored("a=b; Path=x", from: url)?.path == path)
        #expect(stored("a=b; Path=/x; Path=y", from: url)?.path == path)
    }

    @Test(arguments: [
        // From, domain, and the domain it is stored under; with a star for the hosts below it too.
        ("www.shop.test", "", "www.shop.test"), ("www.shop.test", "shop.test", "*shop.test"),
        ("www.shop.test", ".shop.test", "*shop.test"), ("www.shop.test", "SHOP.Test", "*shop.test"),
        ("WWW.shop.test.", "www.shop.test", "*www.shop.test"), ("shop.test", "shop.test", "*shop.test"),
        ("localhost", "localhost", "localhost"), ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("[::1]", "", "::1"), ("a.b.co.uk", "b.co.uk", "*b.co.uk"),
        ("a.b.co.uk", "co.uk", "*co.uk"),  // What a list of public suffixes would refuse.
    ])
    func `is for the host alone, or for the domain it names`(host: String, domain: String, expected: String) {
        let cookie = stored("a=b; Domain=\(domain)", from: "https://\(host)/")
        #expect(cookie.map { ($0.isHostOnly ? "" : "*") + $0.domain } == expected)
    }

    @Test(arguments: [
        ("www.shop.test", "test", CookieRefusal.wideDomain), ("www.shop.test", ".test", .wideDomain),
        ("a.localhost", "localhost", .wideDomain), ("127.0.0.1", "0.0.1", .wideDomain), ("127.0.0.1", "1", .wideDomain),
        ("127.0.0.1", "127.0.0.2", .wideDomain), ("localhost", "127.0.0.1", .wideDomain),
        ("www.shop.test", "..", .wideDomain),
        ("www.shop.test", "shop..test", .wideDomain), ("shop.test", "www.shop.test", .foreignDomain),
        ("www.shop.test", "hop.test", .foreignDomain), ("www.shop.test", "other.test", .foreignDomain),
        ("shop.test.evil.test", "shop.test", .foreignDomain), ("evilshop.test", "shop.test", .foreignDomain),
        ("www.shop.test", "shop.test.", .wideDomain), ("www.shop.test", "..shop.test", .wideDomain),
        ("www.shop.test", ".\u{301}shop.test", .foreignDomain),
    ])
    func `refuses domains that are not the server's or too wide`(host: String, domain: String, refusal: CookieRefusal) {
        #expect(Self.decision("a=b; Domain=\(domain)", from: "https://\(host)/") == .refuse(name: "a", refusal))
    }

    // MARK: Secure

    @Test(arguments: [
        ("https://shop.test/", true), ("http://shop.test/", false), ("http://localhost/", true),
        ("http://127.0.0.1/", true),
        ("http://[::1]/", true), ("http://10.0.0.1/", false),
    ])
    func `takes a secure cookie over https or from this machine only`(url: String, isStored: Bool) {
        #expect((stored("a=b; Secure", from: url) != nil) == isStored)
        #expect(stored("a=b", from: url) != nil)
    }

    @Test(arguments: [
        ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__Secure-a=b; Secure; Domain=shop.test", true),
        ("__Host-a=b; Secure; Path=/", true), ("__host-a=b; Secure; Path=/", true), ("__Host-a=b; Path=/", false),
        ("__Host-a=b; Secure", false), ("__Host-a=b; Secure; Path=/x", false),
        ("__Host-a=b; Secure; Path=/; Domain=shop.test", false),
        ("__Host-a=b; Secure; Path=/; Domain=www.shop.test", false), ("__HOST-a=b; Path=/", false),
        ("__Host-a=b; Secure; Path=/; Domain=", true), ("_Host-a=b", true),
    ])
    func `holds prefixes to their promise`(text: String, isStored: Bool) {
        #expect((stored(text, from: "https://www.shop.test/") != nil) == isStored)
        if !isStored, case .refuse(_, let refusal) = Self.decision(text, from: "https://www.shop.test/") {
            #expect(refusal == .brokenPrefix)
        }
    }
}
