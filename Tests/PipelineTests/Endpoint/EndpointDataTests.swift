import Foundation
import Testing

@testable import Pipeline

struct EndpointDataTests {
    private struct Filter: Encodable, Sendable {
        var text = "1 + 1"
        var tags = ["a", "b"]
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        var data: EndpointData
        var method = HTTPMethod.post
        var url = "https://example.com/?k=1"
        var type: String?
        var body = ""
        var testDescription: String { "\(method) \(url) \(type ?? "-") \(body)" }
    }

    @Test(arguments: [
        Case(data: .plain),
        Case(data: .query(["q": "a b", "page": 2]), url: "https://example.com/?k=1&q=a%20b&page=2"),
        Case(data: .query(encoding: Filter()), url: "https://example.com/?k=1&text=1%20%2B%201&tags=a&tags=b"),
        Case(
            data: .query(encoding: Filter(), with: FormEncoder(arrays: .commas)),
            url: "https://example.com/?k=1&text=1%20%2B%201&tags=a,b"
        ),
        Case(data: .queryString("a=%20&b"), url: "https://example.com/?k=1&a=%20&b"),
        Case(data: .queryString(""), url: "https://example.com/?k=1"),
        Case(data: .bytes(Data("raw".utf8)), type: "application/octet-stream", body: "raw"),
        Case(data: .bytes(Data("raw".utf8), contentType: "image/png"), type: "image/png", body: "raw"),
        Case(data: .json(["id": 1, "on": true]), type: "application/json", body: #"{"id":1,"on":true}"#),
        Case(data: .json(["a", "b"]), type: "application/json", body: #"["a","b"]"#),
        Case(data: .form(["name": "a b", "page": 2]), type: formType, body: "name=a%20b&page=2"),
        Case(data: .form(encoding: Filter()), type: formType, body: "text=1%20%2B%201&tags=a&tags=b"),
        Case(data: .body(.text("t")), type: "text/plain; charset=utf-8", body: "t"),
        Case(
            data: .parameters(["b": 1, "a": "x"]),
            method: .get,
            url: "https://example.com/?k=1&a=x&b=1"
        ),
        Case(data: .parameters(["b": 1, "a": "x"]), method: .head, url: "https://example.com/?k=1&a=x&b=1"),
        Case(data: .parameters(["b": 1, "a": "x"]), method: .delete, url: "https://example.com/?k=1&a=x&b=1"),
        Case(
            data: .parameters(["b": 1, "a": "x"]),
            method: .put,
            type: "application/json",
            body: #"{"a":"x","b":1}"#
        ),
        Case(
            data: .parameters(Filter()),
            method: .get,
            url: "https://example.com/?k=1&text=1%20%2B%201&tags=a&tags=b"
        ),
        Case(data: .encoded(["a", "b"]), type: "application/x-plist-of-tests", body: "encoded"),
    ])
    private func `goes where it belongs`(rule: Case) throws {
        var request = NetworkRequest(method: rule.method, url: URL(string: "https://example.com/?k=1")!)

        try rule.data.put(into: &request)
        let body = try request.body.encoded(with: FixedEncoder())

        #expect(request.url.absoluteString == rule.url)
        #expect(body.contentType == rule.type)
        #expect(String(decoding: body.data ?? Data(), as: UTF8.self) == rule.body)
    }

    @Test func `multipart is a form with files`() throws {
        var request = NetworkRequest(method: .post, url: URL(string: "https://example.com/")!)

        try EndpointData.multipart([.field("name", "a")]).put(into: &request)

        #expect(request.body.contentType?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test(arguments: ["a b", "a#b", "ü", "%", "a\r\nb"])
    func `refuses a query string that is not encoded`(text: String) {
        var request = NetworkRequest(method: .get, url: URL(string: "https://example.com/")!)

        #expect(throws: MalformedValue.self) { try EndpointData.queryString(text).put(into: &request) }
    }

    @Test func `parameters without names are an error`() {
        var request = NetworkRequest(method: .get, url: URL(string: "https://example.com/")!)

        #expect(throws: EncodingError.self) { try EndpointData.parameters([1, 2]).put(into: &request) }
    }

    private static let formType = "application/x-www-form-urlencoded"

    private struct FixedEncoder: BodyEncoder {
        var contentType: String { "application/x-plist-of-tests" }
        func encode(_ value: some Encodable) throws -> Data { Data("encoded".utf8) }
    }
}
