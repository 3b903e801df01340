import Foundation
import Pipeline
import Testing

@testable import PipelineActions

struct CookieListTests {
    var list = CookieList()
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    mutating func store(
        _ fields: String...,
        from url: String = "https://www.shop.test/",
        after seconds: Double = 0,
        limits: CookieLimits = CookieLimits()
    ) throws {
        let location = CookieLocation(URL(string: url)!)!
        for field in fields {
            let decision = CookieDecision(on: field, from: location, at: now + seconds, largest: limits.size)
            guard case .store(let cookie) = decision else { throw CookieRefusal.malformed }
            _ = try list.store(cookie, isTrusted: location.isSecure, at: now + seconds, limits: limits)
        }
    }

    mutating func sent(to url: String, after seconds: Double = 0) -> String {
        list.take(for: CookieLocation(URL(string: url)!)!, at: now + seconds)
            .map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    // MARK: Which cookies go along

    @Test(arguments: [
        ("https://www.shop.test/", "host=1; domain=2; plain=4"),
        ("https://WWW.Shop.Test./", "host=1; domain=2; plain=4"),
        ("https://www.shop.test:8443/x", "host=1; domain=2; plain=4"), ("https://shop.test/", "domain=2"),
        ("https://a.www.shop.test/", "domain=2"), ("http://www.shop.test/", "plain=4"), ("https://shop.test.evil/", ""),
        ("https://evilshop.test/", ""), ("https://test/", ""),
        ("https://www.shop.test/deep", "deep=3; host=1; domain=2; plain=4"),
        ("https://www.shop.test/deep/er", "deep=3; host=1; domain=2; plain=4"),
        ("https://www.shop.test/deeper", "host=1; domain=2; plain=4"),
        ("https://www.shop.test/DEEP", "host=1; domain=2; plain=4"),
    ])
    mutating func `sends cookies where host, path and connection match`(url: String, expected: String) throws {
        try store("host=1; Secure", "domain=2; Secure; Domain=shop.test", "deep=3; Secure; Path=/deep", "plain=4")
        #expect(sent(to: url) == expected)
    }

    @Test mutating func `a path that ends with a slash is for what is below it`() throws {
        try store("a=1; Path=/x/")
        #expect(sent(to: "https://www.shop.test/x/y") == "a=1")
        #expect(sent(to: "https://www.shop.test/x/") == "a=1")
        #expect(sent(to: "https://www.shop.test/x") == "")
    }

    @Test mutating func `an address has no hosts below it`() throws {
        try store("a=1", from: "http://127.0.0.1:8080/")
        #expect(sent(to: "http://127.0.0.1:9090/") == "a=1")
        #expect(sent(to: "http://1.127.0.0.1/") == "")
        #expect(sent(to: "http://localhost/") == "")
    }

    @Test mutating func `longer paths go first, then older cookies`() throws {
        try store("b=1; Path=/x", "a=2; Path=/x", "c=3; Path=/x/y", "d=4", after: 1)
        try store("e=5; Path=/x", after: 0)
        #expect(sent(to: "https://www.shop.test/x/y") == "c=3; e=5; b=1; a=2; d=4")
    }

    @Test mutating func `a cookie that is replaced keeps its place`() throws {
        try store("a=1", "b=2")
        try store("a=3", after: 10)
        #expect(sent(to: "https://www.shop.test/") == "a=3; b=2")
        #expect(list.all.first?.created == now)
    }

    @Test mutating func `the same name with another path or domain is another cookie`() throws {
        try store("a=1", "a=2; Path=/x", "a=3; Domain=shop.test", "a=4; Domain=www.shop.test")
        #expect(sent(to: "https://www.shop.test/x") == "a=2; a=1; a=3; a=4")
    }

    // MARK: The end of a cookie

    @Test mutating func `a cookie ends when its time comes`() throws {
        try store("a=1; Max-Age=60", "b=2")
        #expect(sent(to: "https://www.shop.test/", after: 59) == "a=1; b=2")
        #expect(sent(to: "https://www.shop.test/", after: 60) == "b=2")
    }

    @Test(arguments: ["a=; Max-Age=0", "a=; Max-Age=-1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    mutating func `a cookie that has expired takes away the one it would replace`(field: String) throws {
        try store("a=1", "b=2", "a=3; Path=/x")
        try store(field)
        #expect(list.all.map(\.value) == ["2", "3"])
    }

    // MARK: Secure cookies

    @Test(arguments: [
        ("a=evil", "http://www.shop.test/"), ("a=evil; Domain=shop.test", "http://www.shop.test/"),
        ("a=evil; Domain=shop.test", "http://shop.test/"), ("a=evil; Path=/x", "http://www.shop.test/"),
        ("a=; Max-Age=0", "http://www.shop.test/"), ("a=evil", "http://a.www.shop.test/"),
    ])
    mutating func `plain http cannot touch or hide a secure cookie`(field: String, url: String) throws {
        try store("a=1; Secure; Domain=www.shop.test")
        #expect(throws: CookieRefusal.overSecureCookie) { try store(field, from: url) }
        #expect(sent(to: "https://www.shop.test/x") == "a=1")
    }

    @Test mutating func `plain http can set what is no secure cookie`() throws {
        try store("a=1; Secure; Path=/x", "b=2")
        try store("a=3", "b=4", "c=5", from: "http://www.shop.test/")
        try store("a=6", from: "http://other.test/")
        #expect(sent(to: "https://www.shop.test/x") == "a=1; b=4; a=3; c=5")
    }

    // MARK: Limits

    @Test mutating func `too many of a domain push out the expired, then the insecure, then the longest unused`() throws
    {
        let limits = CookieLimits(perDomain: 3)
        try store("s=1; Secure", "old=2", "new=3; Path=/new", limits: limits)
        _ = sent(to: "https://www.shop.test/new", after: 5)
        _ = sent(to: "https://www.shop.test/", after: 10)  // Uses s and old, not new.
        try store("x=4; Secure", after: 20, limits: limits)
        #expect(list.all.map(\.name) == ["s", "old", "x"])
        try store("y=5; Secure; Max-Age=1", after: 30, limits: limits)
        #expect(list.all.map(\.name) == ["s", "x", "y"])
        try store("z=6", after: 40, limits: limits)
        #expect(list.all.map(\.name) == ["s", "x", "z"])
        try store("w=7; Secure", after: 50, limits: limits)
        #expect(list.all.map(\.name) == ["s", "x", "w"])
    }

    @Test mutating func `too many in all push out those of other domains`() throws {
        let limits = CookieLimits(perDomain: 2, total: 3)
        try store("a=1", "b=2", from: "https://one.test/", limits: limits)
        try store("c=3", "d=4", from: "https://two.test/", after: 1, limits: limits)
        #expect(list.all.map(\.name) == ["b", "c", "d"])
        try store("e=5", from: "https://two.test/", after: 2, limits: limits)
        #expect(list.all.map(\.name) == ["b", "d", "e"])
    }
}
