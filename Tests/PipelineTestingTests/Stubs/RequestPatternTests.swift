import Foundation
import Pipeline
import PipelineTesting
import Testing

/// What matches, and what is said of what does not.
@Suite(.timeLimit(.minutes(3)))
struct RequestPatternTests {
    /// Why a rule does not match; none if it does.
    private func reasons(_ pattern: RequestPattern, _ request: NetworkRequest) async throws -> [String] {
        let server = StubTransport([pattern.respond()])
        do {
            _ = try await Network(transport: server).send(request)
            return []
        } catch {
            return try #require(error.underlying as? UnmatchedRequest).candidates[0].reasons
        }
    }

    private func request(
        _ method: HTTPMethod = .get,
        _ url: String = "https://api.test/a",
        headers: HTTPHeaders = [:],
        body: RequestBody = .none
    ) -> NetworkRequest {
        NetworkRequest(method: method, url: URL(string: url)!, headers: headers, body: body)
    }

    @Test func `by the head`() async throws {
        let url = "https://API.test:8443/a?page=2&tag=x&tag=y&q=1+%2B"
        let sent = request(.put, url, headers: ["Accept": "text/plain", "Authorization": "Bearer hunter2"])
        let cases: [(RequestPattern, [String])] = [
            (StubRule.when(), []),
            (StubRule.when(.put, host: "api.test", path: "/a"), []),
            (StubRule.when(host: "API.TEST:8443"), []),
            (StubRule.when(host: "api.test:443"), ["the host is api.test:8443"]),
            (StubRule.when(host: "test"), ["the host is api.test:8443"]),
            (StubRule.when(.get, path: "/b"), ["the method is PUT", "the path is another"]),
            (StubRule.when(query: ["page": "2", "tag": "y", "q": "1 +", "none": nil]), []),
            (
                StubRule.when(query: ["page": nil, "tag": "z"]),
                ["there is a query item \"page\"", "the query item \"tag\" is \"x\" and \"y\", not \"z\""]
            ),
            (StubRule.when(query: ["size": "1"]), ["there is no query item \"size\""]),
            (StubRule.when(headers: ["accept": "text/plain"]), []),
            (StubRule.when(headers: ["Accept": "*/*"]), ["the field Accept is \"text/plain\", not \"*/*\""]),
            (StubRule.when(headers: ["X-A": 1]), ["there is no field X-A"]),
            (StubRule.when(headers: ["Authorization": "Bearer swordfish"]), ["the field Authorization is another"]),
            (StubRule.when(GetTodo.self), ["the request is a NetworkRequest"]),
        ]
        for (pattern, expected) in cases {
            #expect(try await reasons(pattern, sent) == expected)
        }
    }

    @Test func `by the body`() async throws {
        let json = RequestBody.json(["a": 1, "b": [["c": "x"], 2], "d": nil])
        let form = RequestBody.text("name=Ada+L&password=hunter2", contentType: "application/x-www-form-urlencoded")
        let stream = RequestBody.stream {
            AsyncStream {
                $0.yield(Data("one".utf8)); $0.yield(Data("two".utf8)); $0.finish()
            }
        }
        let cases: [(BodyPattern, RequestBody, [String])] = [
            (.json(["d": nil, "b": [["c": "x"], 2], "a": 1]), json, []),
            (.json(["a": 1]), json, ["the body is other JSON at b"]),
            (.json(containing: ["a": 1.0, "b": [[:], 2]]), json, []),
            (.json(containing: ["b": [["c": "y"], 2]]), json, ["the body is other JSON at b[0].c"]),
            (.json(containing: ["b": [[:]]]), json, ["the body is other JSON at b[1]"]),
            (.json([1]), json, ["the body is other JSON"]),
            (.json([1]), form, ["the body is not JSON"]),
            (.form(["name": "Ada L"]), form, []),
            (.form(["name": "Bob"]), form, ["the field \"name\" is \"Ada L\", not \"Bob\""]),
            (.form(["password": "swordfish"]), form, ["the field \"password\" is another"]),
            (.form(["age": "1"]), form, ["there is no field \"age\""]),
            (.text("onetwo"), stream, []),
            (.data(Data([1])), json, ["the body, of 34 bytes, is other than the 1 bytes expected"]),
            (.matching("the body is long") { $0.count < 10 }, json, ["the body is long"]),
            (.data(Data()), .none, []),
        ]
        for (pattern, body, expected) in cases {
            #expect(try await reasons(StubRule.when(body: pattern), request(.post, body: body)) == expected)
        }
    }

    @Test func `the error lists each rule with its reasons`() async {
        let server = StubTransport([
            .when(.post, host: "api.test", path: "/todos").respond(),
            .when(path: "/b").respond().named("the list"),
        ])
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: server).send(request(.get, "https://user:hunter2@api.test/a?token=hunter2"))
        }
        #expect(
            error?.explanation
                == "GET https://api.test/a?…: no rule matches; (1) POST api.test/todos: the method is GET, "
                + "the path is another; (2) the list: the path is another"
        )
        #expect(error?.reach == .no)
        #expect(server.received.map(\.rule) == [nil])
        #expect(server.unusedRules == ["POST api.test/todos", "the list"])
    }

    @Test func `without rules the error says that there are none`() async {
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: StubTransport()).send(request())
        }
        #expect(error?.explanation == "GET https://api.test/a: there is no rule")
    }

    @Test func `no secret is in the error or in what was received`() async {
        let secret = "hunter2-canary"
        let server = StubTransport([
            .when(query: ["token": "other"], headers: ["X-Api-Key": "other"]).respond(),
            .when(query: ["page": "access_token=\(secret)"]).respond(),
            .when(body: .json(["password": "other"])).respond(),
        ])
        let sent = request(
            .post,
            "https://u:\(secret)@api.test/a?token=\(secret)&page=token%3D\(secret)",
            headers: ["X-Api-Key": secret, "Cookie": "sid=\(secret)"],
            body: .json(["password": .string(secret)])
        )
        let error = await #expect(throws: NetworkError.self) { try await Network(transport: server).send(sent) }
        var dumped = ""
        dump(error, to: &dumped)
        dump(server.received, to: &dumped)
        let text = "\(String(describing: error)) \(String(reflecting: error?.underlying)) \(server.received) \(dumped)"
        #expect(text.contains("the query item \"token\" is another"))
        #expect(!text.contains(secret))
    }
}
