import Pipeline
import Testing

struct HTTPFieldNameTests {
    @Test(arguments: [
        ("X-A", "x-a", true), ("ETag", "etag", true), ("X-A", "X-B", false), ("X-A", "X-AA", false), ("", "", true),
        ("É", "é", false), ("X_A", "X-A", false), ("@", "`", false), ("[", "{", false), ("K", "\u{212A}", false),
        ("X-Request-Id-12345678", "x-request-ID-12345678", true),
        ("X-Request-Id-12345678", "X-Request-Id-12345679", false),
    ])
    func `is the same in any case of ASCII letters, and only of those`(one: String, other: String, same: Bool) {
        #expect((HTTPFieldName(one) == HTTPFieldName(other)) == same)
        #expect((Set([HTTPFieldName(one), HTTPFieldName(other)]).count == 1) == same)
    }

    @Test func `keeps its spelling`() {
        #expect(HTTPFieldName("x-ReQuest-ID").spelling == "x-ReQuest-ID")
        #expect("\(HTTPFieldName("a\r\nb"))" == "a\\r\\nb")
    }

    @Test(arguments: [
        "authorization", "PROXY-AUTHORIZATION", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "x-amz-security-token", "dpop",
    ])
    func `knows the names of secrets`(name: String) {
        #expect(HTTPFieldName(name).isSensitive)
        #expect(HTTPFieldName.sensitive.contains(HTTPFieldName(name)))
    }

    @Test(arguments: [HTTPFieldName.accept, .etag, .location, .wwwAuthenticate, .idempotencyKey, "X-Request-Id"])
    func `does not take other names for secrets`(name: HTTPFieldName) {
        #expect(!name.isSensitive)
    }
}
