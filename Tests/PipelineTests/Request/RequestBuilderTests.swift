import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RequestBuilderTests {
    let base = URL(string: "https://api.test/v1?k=1")!

    struct Filter: Encodable, Sendable { var text = "a b"; var tags = [1, 2] }

    @Test(arguments: [
        (RequestBuilder.get("a"), HTTPMethod.get), (.head("a"), .head), (.post("a"), .post), (.put("a"), .put),
        (.patch("a"), .patch), (.delete("a"), .delete), (.method("PURGE", "a"), "PURGE"),
    ])
    func `begins with any method, below a base or at a URL`(builder: RequestBuilder, method: HTTPMethod) throws {
        #expect(try builder.build(on: base).method == method)
        #expect(try builder.build(on: base).url.absoluteString == "https://api.test/v1/a?k=1")
        let whole = RequestBuilder.method(method, url: URL(string: "https://other.test/x")!)
        #expect(try whole.build().url.absoluteString == "https://other.test/x")
        #expect(try whole.build().method == method)
        #expect(try whole.build(on: base).url == whole.build().url)
    }

    @Test func `the named methods take a URL too`() throws {
        let builders: [RequestBuilder] = [
            .get(url: base), .head(url: base), .post(url: base), .put(url: base), .patch(url: base), .delete(url: base),
        ]
        #expect(try builders.map { try $0.build().method } == [.get, .head, .post, .put, .patch, .delete])
        #expect(try builders.allSatisfy { try $0.build().url == base })
    }

    @Test func `puts the address together from paths, data and queries`() throws {
        let builder = try RequestBuilder.get("/users").segments("a/b?", "ü").path("files/x").query(["q": "1 + 1"])
            .query(encoding: Filter(), with: FormEncoder(arrays: .brackets))
        #expect(
            try builder.build(on: base).url.absoluteString
                == "https://api.test/v1/users/a%2Fb%3F/%C3%BC/files/x?k=1&q=1%20%2B%201&text=a%20b&tags%5B%5D=1&tags%5B%5D=2"
        )
        #expect(try RequestBuilder.get("").build(on: base).url == base)
    }

    @Test func `sets and adds header fields`() throws {
        let request = try RequestBuilder.get(url: base).header("A", "1").header("a", "2").headers(["B": 3, "A": 4])
            .header("C", "s", isSensitive: true).build()
        #expect(request.headers.values(of: "A") == ["2", "4"])
        #expect(request.headers["B"] == "3")
        #expect(!"\(RequestBuilder.get(url: base).header("C", "s3cret", isSensitive: true))".contains("s3cret"))
        #expect(request.headers.first { $0.name == "C" }?.isSensitive == true)
    }

    @Test func `carries any body`() async throws {
        let (network, sent) = Network.recording()
        _ = try await network.send(.post("x").body(.text("hi")))
        #expect(sent.request?.body.data == Data("hi".utf8))
        _ = try await network.send(.post("x").body(encoding: User(name: "Ada")))
        #expect(sent.request?.body.data == Data(#"{"name":"Ada"}"#.utf8))
        _ = try await network.send(.post("x").multipart([.field("a", 1)]))
        #expect(sent.request?.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .post, .put, .patch, "SEARCH"])
    func `puts parameters where the method has them`(method: HTTPMethod) async throws {
        let (network, sent) = Network.recording()
        _ = try await network.send(.method(method, "x").parameters(Filter()))
        let request = try #require(sent.request)
        let isInQuery = [.get, .head, .delete].contains(method)
        #expect(request.url.query == (isInQuery ? "text=a%20b&tags=1&tags=2" : nil))
        #expect(request.body.isEmpty == isInQuery)
        if !isInQuery {
            let body = try JSONDecoder().decode(JSONValue.self, from: try #require(request.body.data))
            #expect(body == ["text": "a b", "tags": [1, 2]])
        }
    }

    @Test func `sets limits and options, and goes on from there`() throws {
        let request = try RequestBuilder.get(url: base).timeLimits(TimeLimits(idle: .seconds(1), total: .seconds(9)))
            .timeout(.seconds(2)).setting(\.tag, to: "t").setting(\.customProperties["p"], to: 1).header("A", "1")
            .build()
        #expect(request.timeLimits == TimeLimits(idle: .seconds(1), total: .seconds(2)))
        #expect(request.tag == "t")
        #expect(request.customProperties["p"] as? Int == 1)
        #expect(request.headers["A"] == "1")
    }

    @Test func `is a value: what grows out of it leaves it as it was`() throws {
        let users = RequestBuilder.get("users")
        _ = users.header("A", "1").query(["q": 1]).segments("x")
        let request = try users.build(on: base)
        #expect(request.url.absoluteString == "https://api.test/v1/users?k=1")
        #expect(request.headers.isEmpty)
    }

    @Test func `says what is wrong when it is built`() async throws {
        #expect(throws: NetworkError.self) { try RequestBuilder.get("users").build() }
        #expect(throws: MalformedValue.self) { try RequestBuilder.get("../x").build(on: base) }
        let (network, sent) = Network.recording(baseURL: nil)
        let error = await #expect(throws: NetworkError.self) { try await network.send(.get("users")) }
        #expect(error?.code == .invalidRequest)
        #expect(sent.request == nil)
        _ = try await network.send(.get(url: base))
        #expect(sent.request?.url == base)
    }
}
