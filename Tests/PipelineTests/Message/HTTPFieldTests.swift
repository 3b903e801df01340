import Foundation
import Pipeline
import Testing

struct HTTPFieldTests {
    static let canary = "canary-5ecret"

    /// Everything that could print a value.
    static func renderings(of value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), "\([value])", dumped]
    }

    @Test(arguments: [
        HTTPField(name: .authorization, value: canary), HTTPField(name: "set-cookie", value: canary),
        HTTPField(name: "X-Own", value: canary, isSensitive: true),
    ])
    func `S2: shows no secret, however it is printed`(field: HTTPField) {
        for text in Self.renderings(of: field) + Self.renderings(of: HTTPHeaders([field])) {
            #expect(!text.contains(Self.canary))
            #expect(text.contains("<redacted>"))
        }
        #expect(field.value == Self.canary)
    }

    @Test func `shows other values with control characters escaped`() {
        let field = HTTPField(name: "X-A", value: "a\r\nb\u{1B}[31m\u{202E}c é")
        #expect(field.description == "X-A: a\\r\\nb\\u{1B}[31m\\u{202E}c é")
        for text in Self.renderings(of: field) { #expect(!text.contains("\u{1B}") && !text.contains("\r")) }
    }

    @Test func `is sensitive by name, whatever the mark, and else by mark`() {
        var field = HTTPField(name: .cookie, value: "a=1", isSensitive: false)
        #expect(field.isSensitive)
        field.isSensitive = false
        #expect(field.isSensitive)
        field.name = "X-A"
        #expect(!field.isSensitive)
        field.isSensitive = true
        #expect(field.isSensitive)
    }

    @Test func `differs by a mark that matters, and not by one that the name makes needless`() {
        let marked = HTTPField(name: .cookie, value: "a", isSensitive: true)
        #expect(Set([marked, HTTPField(name: "COOKIE", value: "a")]).count == 1)
        #expect(HTTPField(name: "X", value: "a", isSensitive: true) != HTTPField(name: "X", value: "a"))
        let bound = HTTPField(name: .cookie, value: "a", origins: [Origin("https://a.test")!])
        #expect(bound != marked)
    }

    @Test(arguments: [
        ("Location", "https://u:zq9@a.test/x?code=zq9#zq9", "https://a.test/x?…"),
        ("location", "/x?token=zq9", "/x?…"), ("Referer", "//u:zq9@a.test/", "//a.test/"),
        ("Content-Location", "x#zq9", "x"), ("Location", "/plain", "/plain"),
    ])
    func `an address shows neither query nor password`(name: String, value: String, shown: String) {
        let field = HTTPField(name: HTTPFieldName(name), value: value)
        #expect(field.printableValue == shown)
        #expect("\(field)" == "\(name): \(shown)")
    }
}
