import Pipeline
import Testing

struct HTTPHeadersTests {
    @Test func `B23: two Set-Cookie stay two, and names are the same in any letter case`() {
        var headers = HTTPHeaders()
        headers.append(name: .setCookie, value: "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT")
        headers.append(name: "X-A", value: "1")
        headers.append(name: "set-cookie", value: "b=2")
        headers.append(name: "x-a", value: "2")

        #expect(headers.values(of: .setCookie) == ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2"])
        #expect(headers[.setCookie] == "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT")
        #expect(headers["X-a"] == "1, 2")
        #expect(headers.map(\.name.spelling) == ["Set-Cookie", "X-A", "set-cookie", "x-a"])
    }

    @Test func `reads nothing, one and several values`() {
        let headers: HTTPHeaders = ["Vary": "Accept", "A": "", "vary": "Origin", "Cookie": "a=1", "cookie": "b=2"]
        #expect(headers["B"] == nil)
        #expect(headers["A"] == "")
        #expect(headers[.vary] == "Accept, Origin")
        #expect(headers[.cookie] == "a=1; b=2")
        #expect(headers.values(of: "B").isEmpty)
        #expect(headers.contains("vARY") && !headers.contains("Var"))
    }

    @Test func `takes values of any kind in a literal, in order`() {
        let headers: HTTPHeaders = ["X-Count": 3, "Accept": "a", "X-Flag": true, "X-Count": 4]
        #expect(headers.map(\.description) == ["X-Count: 3", "Accept: a", "X-Flag: true", "X-Count: 4"])
        #expect(headers.description == "X-Count: 3\nAccept: a\nX-Flag: true\nX-Count: 4")
    }

    @Test func `puts a new value in place of the first and removes the others`() {
        var headers: HTTPHeaders = ["A": 1, "B": 2, "a": 3, "C": 4, "A": 5]
        headers["a"] = "6"
        #expect(headers.map(\.description) == ["a: 6", "B: 2", "C: 4"])
        headers["D"] = "7"
        #expect(headers.last?.description == "D: 7")
        headers["B"] = nil
        headers["none"] = nil
        #expect(headers.map(\.description) == ["a: 6", "C: 4", "D: 7"])
    }

    @Test func `S2: a secret stays one when only its value is written`() {
        let origin = Origin("https://a.test")!
        var headers: HTTPHeaders = ["X-Own": "open"]
        headers.append(name: "X-Own", value: "old", isSensitive: true, origins: [origin])
        headers["x-own"] = "new"
        #expect(headers.count == 1)
        #expect(headers[0] == HTTPField(name: "X-Own", value: "new", isSensitive: true, origins: [origin]))

        headers.set(HTTPField(name: "X-Own", value: "public"))
        #expect(!headers[0].isSensitive)
        headers.setSensitive("secret", for: "X-Own")
        #expect(headers[0].isSensitive && headers[0].origins == nil)
    }

    @Test func `takes what another collection was filtered to`() {
        let defaults: HTTPHeaders = ["Accept": "a", "User-Agent": "b"]
        var headers: HTTPHeaders = ["accept": "c"]
        let missing = defaults.filter { !headers.contains($0.name) }
        headers.append(contentsOf: missing)
        headers.append(contentsOf: defaults.prefix(1))
        #expect(headers.map(\.description) == ["accept: c", "User-Agent: b", "Accept: a"])
        headers.removeAll { $0.name == .accept }
        headers.remove("user-AGENT")
        #expect(headers.isEmpty)
    }

    @Test func `equal fields in another order are other headers`() {
        #expect((["A": 1, "B": 2] as HTTPHeaders) == ["a": 1, "b": 2])
        #expect((["A": 1, "B": 2] as HTTPHeaders) != ["B": 2, "A": 1])
    }

    @Test func `leaves a copy as it was`() {
        let original: HTTPHeaders = ["A": 1]
        var copy = original
        copy["A"] = "2"
        #expect(original["A"] == "1" && copy["A"] == "2")
    }

    @Test(arguments: [
        ("A B", "1"), ("", "1"), ("A:", "1"), ("Ä", "1"), ("A\r\nB", "1"), ("A\u{0}", "1"), (" A", "1"),
        ("A", "a\r\nX-Evil: 1"), ("A", "a\rb"), ("A", "a\nb"), ("A", "a\u{0}b"), ("A", " a"), ("A", "a "), ("A", "\ta"),
        ("A", "a\t"), ("A", " "), ("A", "a\u{7F}b"), ("A", "a\u{1B}b"), ("A", "\r\n"),
        ("Content-Length", "3"), ("content-length", "3"), ("Transfer-Encoding", "chunked"), ("Connection", "close"),
        ("Keep-Alive", "1"), ("Proxy-Connection", "close"), ("Upgrade", "h2c"), ("Trailer", "X"), ("TE", "gzip"),
        ("TE", "trailers, gzip"),
    ])
    func `B28, S1: refuses what would split or frame a message`(name: String, value: String) {
        let headers: HTTPHeaders = ["Good": "a", HTTPFieldName(name): value]
        let error = #expect(throws: MalformedValue.self) { try headers.check() }
        #expect(error?.description.contains("Evil") == false)
        #expect(error?.description.unicodeScalars.contains { $0.value < 0x20 } == false)
    }

    @Test(arguments: [
        ("A", ""), ("A", "a b"), ("A", "a\tb"), ("A", "é 日本"), ("!#$%&'*+-.^_`|~9", "a"), ("TE", "trailers"),
        ("Host", "a.test"), ("Expect", "100-continue"), ("X-Content-Length", "3"),
    ])
    func `lets everything else pass`(name: String, value: String) throws {
        try HTTPHeaders([HTTPField(name: HTTPFieldName(name), value: value)]).check()
    }

    @Test func `S2: names the field, never what stands behind it`() {
        let value: HTTPHeaders = ["X-Own": "canary\r\n"]
        let first = #expect(throws: MalformedValue.self) { try value.check() }
        #expect(first?.name == "X-Own" && first?.description.contains("canary") == false)

        let line: HTTPHeaders = ["Authorization: Bearer canary": ""]
        let second = #expect(throws: MalformedValue.self) { try line.check() }
        #expect(second?.name == "Authorization:…")
    }
}
