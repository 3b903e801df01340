import Foundation
import Pipeline
import Testing

struct QueryTests {
    enum Order: String, QueryValue { case rising, falling = "from top" }
    enum Level: Int, QueryValue { case low = 1, high }

    @Test(arguments: [
        ("1+1 = 2&x/y?z;#%", "1%2B1%20%3D%202%26x%2Fy%3Fz%3B%23%25"), ("a+b", "a%2Bb"), ("b%20c", "b%2520c"),
        ("", ""), ("AZaz09-._~", "AZaz09-._~"), ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("日本", "%E6%97%A5%E6%9C%AC"),
        ("🎉", "%F0%9F%8E%89"), ("[]{}|\\^`", "%5B%5D%7B%7D%7C%5C%5E%60"), ("!*'()", "%21%2A%27%28%29"),
        (";:@&=+$,/?", "%3B%3A%40%26%3D%2B%24%2C%2F%3F"), ("\r\n\t\u{0}", "%0D%0A%09%00"), ("\"<>", "%22%3C%3E"),
        ("\u{7F}", "%7F"), ("a,b", "a%2Cb"), ("=", "%3D"), ("&", "%26"), ("%2B", "%252B"), (" ", "%20"),
    ])
    func `B24: encodes each name and value once, from plain text`(text: String, encoded: String) {
        var query = Query()
        query.append(text, text)
        #expect(query.encoded == "\(encoded)=\(encoded)")
    }

    @Test(arguments: ["1+1 = 2&x/y?z;#%", "a+b", "b%20c", "é日本🎉", "[b%20c", "+", "%2B"])
    func `B24: reads the same to a server that takes plus for a space and to one that does not`(text: String) throws {
        let value = try #require(([text: text] as Query).encoded.split(separator: "=").last)
        #expect(value.removingPercentEncoding == text)
        #expect(value.replacing("+", with: " ").removingPercentEncoding == text)
    }

    @Test func `takes values of many kinds, and keeps the order`() {
        let id = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF")!
        let query: Query = [
            "b": true, "a": false, "n": -3, "d": 0.1, "e": 1e16, "s": "x y", "u": id, "o": Order.falling,
            "l": Level.high,
            "i": Int64.min, "w": UInt64.max, "f": Float(0.1), "t": "abc".prefix(2),
        ]
        #expect(
            query.encoded == "b=true&a=false&n=-3&d=0.1&e=1e%2B16&s=x%20y&u=6F9619FF-8B86-D011-B42D-00CF4FC964FF"
                + "&o=from%20top&l=2&i=-9223372036854775808&w=18446744073709551615&f=0.1&t=ab"
        )
    }

    @Test func `leaves out nil, keeps the empty and tells a flag from it`() {
        let absent: String? = nil
        let present: Int? = 2
        var query: Query = ["a": absent, "b": nil, "c": "", "d": present]
        query.appendFlag("e f")
        query.append(contentsOf: .flag("g"))
        #expect(query.encoded == "c=&d=2&e%20f&g")
        #expect((["a": absent] as Query).isEmpty)
    }

    @Test func `writes lists in the style that is asked for`() {
        func encoded(_ style: Query.ListStyle, _ list: [String] = ["a", "b,c", "d e"]) -> String {
            var query = Query()
            query.append("k", list, style: style)
            return query.encoded
        }
        #expect((["k": ["a", "b,c", "d e"]] as Query).encoded == "k=a&k=b%2Cc&k=d%20e")
        #expect(encoded(.repeated) == "k=a&k=b%2Cc&k=d%20e")
        #expect(encoded(.brackets) == "k%5B%5D=a&k%5B%5D=b%2Cc&k%5B%5D=d%20e")
        #expect(encoded(.commaSeparated) == "k=a,b%2Cc,d%20e")
        for style in [Query.ListStyle.repeated, .brackets, .commaSeparated] { #expect(encoded(style, []).isEmpty) }
    }

    @Test func `takes a style for lists only`() {
        var query = Query()
        query.append("k", "a", style: .brackets)
        query.append("o", [Order.rising, .falling], style: .commaSeparated)
        #expect(query.encoded == "k=a&o=rising,from%20top")
    }

    @Test func `repeats a name as often as it comes`() {
        #expect((["a": 1, "b": 2, "a": 3] as Query).encoded == "a=1&b=2&a=3")
    }
}
