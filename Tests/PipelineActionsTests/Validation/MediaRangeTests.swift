import Pipeline
import PipelineActions
import Testing

struct MediaRangeTests {
    private static let inside: [(MediaRange, String)] = [
        ("application/json", "application/json"), ("application/json", "Application/JSON"),
        ("application/json", "application/json; charset=utf-8"),
        ("application/json", "application/json;charset=utf-8;v=1"),
        ("Application/Json", " application/json "), ("text/*", "text/html"), ("text/*", "TEXT/plain;format=flowed"),
        ("*/*", "image/svg+xml"), ("*/*;q=0.1", "a/b"), ("application/json;q=0.5", "application/json"),
        ("text/plain;format=flowed", "text/plain; charset=utf-8; Format=\"flowed\""),
        ("text/plain;charset=UTF-8", "text/plain; charset=\"utf-8\""), ("a/b;c=\"x;y\"", "a/b;c=\"x;y\""),
        ("application/vnd.api+json", "application/vnd.api+json"), ("a/b;", "a/b;"),
        ("a/b;c=\"\\\"\"", "a/b;c=\"\\\"\""),
        ("a/b", "a/b;c=\"\u{301};d\""), ("a/b", "a/b;c=\u{301}d"),
    ]

    private static let outside: [(MediaRange, String)] = [
        ("application/json", "text/html"), ("application/json", "application/json-seq"),
        ("application/json", "application/problem+json"), ("application/json", "text/json"),
        ("text/*", "application/text"),
        ("text/*", "textual/html"), ("application/json", ""), ("application/json", "json"), ("*/*", "nonsense"),
        ("*/*", "a/b/c"), ("*/*", "/"), ("text/plain;format=flowed", "text/plain"),
        ("text/plain;format=flowed", "text/plain;format=fixed"), ("application/json", "application /json"),
        ("application/json", "application/json, text/html"), ("a/b", "a/b;c"), ("a/b", "a/b;=d"),
    ]

    @Test(arguments: inside)
    func `has a type`(range: MediaRange, type: String) {
        #expect(range.contains(type))
    }

    @Test(arguments: outside)
    func `has not`(range: MediaRange, type: String) {
        #expect(!range.contains(type))
    }

    @Test(arguments: [
        "", "json", "*", "*/json", "a/b/c", "a b/c", "a/", "/b", "a/b;c", "a/b\r\nX: y", "text/html, a/b",
    ])
    func `refuses what is none`(text: String) {
        let error = #expect(throws: MalformedValue.self) { try MediaRange(text) }
        #expect(error?.kind == "media range")
    }

    @Test func `is the same however it is written, and is written as it was`() throws {
        let one: MediaRange = "Text/Plain; format=flowed"
        #expect(one == "text/plain;Format=\"flowed\"")
        #expect(one.hashValue == ("text/plain;Format=\"flowed\"" as MediaRange).hashValue)
        #expect(one.description == "Text/Plain; format=flowed")
    }
}
