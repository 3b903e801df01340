import Foundation
import Pipeline
import Testing

struct MIMETypeTests {
    @Test(arguments: [
        ("application/json", "application/json"), ("Application/JSON; charset=utf-8", "application/json"),
        (" text/html\t;charset=x", "text/html"), (";text/plain", "text/plain"), ("; ;text/plain", ""),
        ("a/b;c/d", "a/b"), (" ", ""),
    ])
    func `takes the media type without parameters`(field: String, expected: String) throws {
        #expect(try response(contentType: field).mimeType == expected)
    }

    @Test(arguments: ["", ";", ";;"])
    func `knows no media type where none is written`(field: String) throws {
        #expect(try response(contentType: field).mimeType == nil)
    }

    private func response(contentType: String) throws -> NetworkResponse {
        let url = try #require(URL(string: "https://a.test"))
        return NetworkResponse(
            status: .ok,
            headers: ["Content-Type": contentType],
            request: NetworkRequest(url: url)
        )
    }
}
