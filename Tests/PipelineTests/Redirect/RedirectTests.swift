import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// RFC 9110, section 15.4: which requests follow which redirects.
@Suite(.timeLimit(.minutes(3)))
struct RedirectTests {
    /// Sends a request, answers with one redirect and then 200, and returns what was sent.
    func follow(
        _ status: HTTPStatus,
        to location: String,
        from request: NetworkRequest = NetworkRequest(url: api),
        actions: [any Action] = []
    ) async throws -> [NetworkRequest] {
        let server = ScriptedTransport([.redirect(to: location, status: status), .status(200)])
        _ = try await Network(actions: actions, transport: server).send(request)
        return server.requests
    }

    func refusal(
        _ location: String,
        from url: String = "https://api.test/a",
        policy: RedirectPolicy = .follow
    ) async -> NetworkError? {
        let server = ScriptedTransport { .init(status: 302, headers: [.location: location], request: $0) }
        var request = NetworkRequest(url: URL(string: url)!)
        request.redirectPolicy = policy
        let result = await Network(transport: server).result(of: request)
        guard case .failure(let error) = result else { return nil }
        return error
    }

    static let methodTable: [(HTTPStatus, HTTPMethod, HTTPMethod)] = [
        (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"),
        (301, "PATCH", "PATCH"), (301, "DELETE", "DELETE"), (301, "OPTIONS", "OPTIONS"),
        (302, "GET", "GET"), (302, "HEAD", "HEAD"), (302, "POST", "GET"), (302, "PUT", "PUT"),
        (302, "PATCH", "PATCH"), (302, "DELETE", "DELETE"), (302, "OPTIONS", "OPTIONS"),
        (303, "GET", "GET"), (303, "HEAD", "HEAD"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (303, "PATCH", "GET"), (303, "DELETE", "GET"), (303, "OPTIONS", "GET"),
        (307, "GET", "GET"), (307, "HEAD", "HEAD"), (307, "POST", "POST"), (307, "PUT", "PUT"),
        (307, "PATCH", "PATCH"), (307, "DELETE", "DELETE"), (307, "OPTIONS", "OPTIONS"),
        (308, "GET", "GET"), (308, "HEAD", "HEAD"), (308, "POST", "POST"), (308, "PUT", "PUT"),
        (308, "PATCH", "PATCH"), (308, "DELETE", "DELETE"), (308, "OPTIONS", "OPTIONS"),
    ]

    @Test(arguments: methodTable)
    func `keeps or changes the method, and the body goes with it`(
        status: HTTPStatus,
        method: HTTPMethod,
        expected: HTTPMethod
    ) async throws {
        var request = NetworkRequest(method: method, url: api, body: .text("content"))
        request.headers["X-Kept"] = "yes"
        let sent = try await follow(status, to: "/next", from: request)
        let next = try #require(sent.last)
        let keepsBody = expected == method

        #expect(sent.count == 2)
        #expect(next.method == expected)
        #expect(next.body.data == (keepsBody ? Data("content".utf8) : nil))
        #expect(next.headers.contains(.contentType) == keepsBody)
        #expect(next.headers["X-Kept"] == "yes")
    }

    @Test(arguments: [
        ("https://api.test/a/b?q=1", "c", "https://api.test/a/c"),
        ("https://api.test/a/b", "../c", "https://api.test/c"),
        ("https://api.test/a/b", "/c?x=%20", "https://api.test/c?x=%20"),
        ("https://api.test/a/b", "?y=2", "https://api.test/a/b?y=2"),
        ("https://api.test/a", "//other.test/b", "https://other.test/b"),
        ("https://api.test/a#part", "/b", "https://api.test/b#part"),
        ("https://api.test/a#part", "/b#other", "https://api.test/b#other"),
        ("https://api.test/a", "https://user:secret@other.test/b", "https://other.test/b"),
        ("http://api.test/a", "https://api.test/a", "https://api.test/a"),
    ])
    func `resolves the location against the hop`(from: String, location: String, expected: String) async throws {
        let sent = try await follow(302, to: location, from: NetworkRequest(url: URL(string: from)!))

        #expect(sent.last?.url.absoluteString == expected)
    }

    @Test(arguments: [300, 304, 305, 306, 399] as [HTTPStatus])
    func `other statuses are not followed`(status: HTTPStatus) async throws {
        let server = ScriptedTransport([.redirect(to: "/next", status: status)])
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: server).send(NetworkRequest(url: api))
        }

        #expect(error?.code == .unacceptableStatus)
        #expect(server.requests.count == 1)
    }

    @Test func `a redirect without a location is the response`() async throws {
        let server = ScriptedTransport([.status(302)])
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: server).send(NetworkRequest(url: api))
        }

        #expect(error?.statusCode == 302)
    }

    @Test(arguments: [
        ("http://api.test/b", "leads from https to http"),
        ("ftp://api.test/b", "scheme \"ftp\""),
        ("file:///etc/passwd", "scheme \"file\""),
        ("javascript:alert(1)", "scheme \"javascript\""),
        ("https:///nohost", "names no host"),
        ("/a", "in a circle"),
    ])
    func `refuses to go where it must not`(location: String, reason: String) async throws {
        let error = await refusal(location)

        #expect(error?.code == .redirectRefused)
        #expect(error?.statusCode == 302)
        #expect(error?.explanation?.contains(reason) == true, "\(error?.explanation ?? "")")
    }

    @Test func `follows ten redirects and refuses the eleventh`() async throws {
        let server = ScriptedTransport { request in
            let number = Int(request.url.lastPathComponent) ?? 0
            return .init(status: 302, headers: [.location: "/\(number + 1)"], request: request)
        }
        let error = await #expect(throws: NetworkError.self) {
            try await Network(transport: server).send(NetworkRequest(url: api.appending(path: "0")))
        }

        #expect(error?.code == .redirectRefused)
        #expect(server.requests.count == 11)
    }

    @Test func `redirects are not counted as retries`() async throws {
        let server = ScriptedTransport([.redirect(to: "/1"), .redirect(to: "/2"), .status(200)])
        var configuration = NetworkConfiguration()
        configuration.maximumRetries = 0
        let reply = try await Network(transport: server, configuration: configuration)
            .reply(to: NetworkRequest(url: api))

        #expect(reply.attempts == 3)
        #expect(reply.response.url.path == "/2")
    }

    @Test func `within the origin only, if so asked`() async throws {
        #expect(await refusal("https://api.test:444/b", policy: .sameOrigin)?.code == .redirectRefused)
        let server = ScriptedTransport([.redirect(to: "/b"), .status(200)])
        var request = NetworkRequest(url: api)
        request.redirectPolicy = .sameOrigin
        _ = try await Network(transport: server).send(request)
        #expect(server.requests.count == 2)
    }

    @Test func `handed back, a redirect is acceptable`() async throws {
        let server = ScriptedTransport([.redirect(to: "/b", status: 307)])
        var request = NetworkRequest(url: api)
        request.redirectPolicy = .handBack
        let response = try await Network(transport: server).send(request)

        #expect(response.status == 307)
        #expect(response.headers[.location] == "/b")
    }

    @Test(arguments: [307, 308, 302, 303] as [HTTPStatus])
    func `a body that can be read once is not sent again`(status: HTTPStatus) async throws {
        let server = ScriptedTransport { request in
            _ = try request.body.makeChunks()
            let isFirst = request.url.path.isEmpty
            return .init(
                status: isFirst ? status : 200,
                headers: [.location: "/next"],
                body: .bytes(Data("moved".utf8)),
                request: request
            )
        }
        let request = NetworkRequest(method: .post, url: api, body: .stream { OneChunk("once") })
        let result = await Network(transport: server).result(of: request)

        if status == 302 || status == 303 {
            #expect(result.code == nil)
            #expect(server.requests.map(\.method) == [.post, .get])
        } else {
            guard case .failure(let error) = result else { Issue.record("it succeeded"); return }
            #expect(error.statusCode == status.code)
            #expect(error.payloadData == Data("moved".utf8))
            #expect(error.refusedRetry == .bodyNotReplayable)
            #expect(server.requests.count == 1)
        }
    }

    // MARK: Credentials (S3, B16)

    func carrying(_ url: String = "https://api.test/") -> NetworkRequest {
        var request = NetworkRequest(url: URL(string: url)!)
        request.headers = [
            .authorization: "Bearer abc", .cookie: "s=1", .proxyAuthorization: "Basic x", "X-Plain": "1",
            .host: "api.test", .origin: "https://app.test",
        ]
        request.headers.setSensitive("key", for: "X-Marked")
        return request
    }

    static let sensitive: [HTTPFieldName] = [.authorization, .cookie, .proxyAuthorization, "X-Marked"]

    @Test(arguments: [
        ("https://api.test/b", true), ("https://API.TEST:443/b", true), ("https://api.test:444/b", false),
        ("https://other.test/b", false), ("https://sub.api.test/b", false),
    ])
    func `sensitive fields stay within their origin`(location: String, goOn: Bool) async throws {
        let next = try await follow(302, to: location, from: carrying()).last

        for name in Self.sensitive { #expect(next?.headers.contains(name) == goOn, "\(name)") }
        #expect(next?.headers["X-Plain"] == "1")
        #expect(next?.headers.contains(.host) == false)
        #expect(next?.headers.contains(.origin) == false)
    }

    @Test func `once dropped they stay dropped, also on the way back`() async throws {
        let server = ScriptedTransport([
            .redirect(to: "https://other.test/"), .redirect(to: "https://api.test/back"), .status(200),
        ])
        _ = try await Network(transport: server).send(carrying())

        for request in server.requests.dropFirst() {
            for name in Self.sensitive { #expect(!request.headers.contains(name), "\(name) at \(request.url)") }
        }
    }

    @Test func `a field bound to several origins goes to those and no others`() async throws {
        let friends: Set<Origin> = [Origin("https://api.test")!, Origin("https://cdn.test")!]
        var request = NetworkRequest(url: api)
        request.headers.setSensitive("key", for: "X-Marked", origins: friends)
        let server = ScriptedTransport([
            .redirect(to: "https://cdn.test/"), .redirect(to: "https://evil.test/"), .status(200),
        ])
        _ = try await Network(transport: server).send(request)

        #expect(server.requests.map { $0.headers.contains("X-Marked") } == [true, true, false])
    }

    @Test func `what hop actions add is added afresh for each hop, and they know when the send has left`() async throws
    {
        let home = [Origin("https://api.test")!]
        let token = HookAction(
            zone: .hop,
            willBegin: { request in
                var request = request
                if request.context.hasStayed(within: home) { request.headers.setSensitive("t", for: .authorization) }
                request.headers["X-Hop"] = request.url.host()
                return .proceed(request)
            }
        )
        let server = ScriptedTransport([
            .redirect(to: "/b"), .redirect(to: "https://other.test/"), .redirect(to: "https://api.test/c"),
            .status(200),
        ])
        _ = try await Network(actions: [token], transport: server).send(NetworkRequest(url: api))

        #expect(server.requests.map { $0.headers[.authorization] } == ["t", "t", nil, nil])
        #expect(server.requests.map { $0.headers["X-Hop"] } == ["api.test", "api.test", "other.test", "api.test"])
        #expect(server.requests.last?.context.visitedOrigins.map(\.host) == ["api.test", "other.test"])
    }

    @Test func `a retry in the hop zone repeats the hop that failed`() async throws {
        let retry = HookAction.retrying(zone: .hop) { outcome, request in outcome.status == 503 && request.pass == 1 }
        let server = ScriptedTransport([.redirect(to: "/b"), .status(503), .status(200)])
        _ = try await Network(actions: [retry], transport: server).send(NetworkRequest(url: api))

        #expect(server.requests.map(\.url.path) == ["", "/b", "/b"])
    }

    @Test func `a retry in the send zone starts over`() async throws {
        let retry = HookAction.retrying { outcome, request in outcome.status == 503 && request.pass == 1 }
        let server = ScriptedTransport([.redirect(to: "/b"), .status(503), .redirect(to: "/b"), .status(200)])
        _ = try await Network(actions: [retry], transport: server).send(NetworkRequest(url: api))

        #expect(server.requests.map(\.url.path) == ["", "/b", "", "/b"])
    }
}
