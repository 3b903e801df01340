import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct URLSessionTransportResponseTests {
    let server: LoopbackServer
    let transport = URLSessionTransport()

    init() throws { server = try LoopbackServer() }

    func get(_ path: String, method: HTTPMethod = .get) async throws -> NetworkResponse {
        try await transport.send(NetworkRequest(method: method, url: server.url(path)))
    }

    @Test(arguments: [200, 201, 203, 300, 304, 400, 402, 403, 404, 407, 409, 429, 500, 503, 599])
    func `gives every status back with its body`(status: Int) async throws {
        let text = status == 304 ? "" : "body of \(status)"
        server.handle("GET", "/") { _ in .status(status, headers: ["X-Is": "\(status)"], body: text) }

        let response = try await get("/")

        #expect(response.status.code == status)
        #expect(response.headers["X-Is"] == "\(status)")
        #expect(try await response.body.collect() == Data(text.utf8))
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["/elsewhere", "https://other.test/", "file:///etc/passwd", "%%%"])
    func `gives a redirect back as it is`(status: Int, location: String) async throws {
        server.handle("POST", "/") { _ in
            .status(status, headers: ["Location": location], body: "moved")
        }

        let response = try await transport.send(
            NetworkRequest(method: .post, url: server.url("/"), body: .text("data"))
        )

        #expect(response.status.code == status)
        #expect(response.headers[.location] == location)
        #expect(try await response.body.collect() == Data("moved".utf8))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [301, 302, 305, 306, 307])
    func `gives a redirect that leads nowhere back`(status: Int) async throws {
        server.handle("GET", "/") { _ in .status(status, body: "where to?") }

        let response = try await get("/")

        #expect(response.status.code == status)
        let body = try await response.body.collect()
        #if canImport(Darwin)
            #expect(body == Data("where to?".utf8))
        #else
            #expect(body.isEmpty)  // Foundation keeps it to itself.
        #endif
    }

    @Test(
        arguments: [401, 407],
        [
            #"Basic realm="x""#, "Basic", #"Digest realm="x", nonce="n", qop="auth""#, "Negotiate", "NTLM",
            #"Bearer error="invalid_token""#, #"Basic realm="x", Digest realm="y", nonce="n""#, "garbage =,", "",
        ]
    )
    func `gives a demand for credentials back as a response with its body`(status: Int, demand: String) async throws {
        let field = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
        server.handle("POST", "/") { _ in .status(status, headers: [field: demand], body: "who are you?") }

        for _ in 1...3 {
            let response = try await transport.send(
                NetworkRequest(method: .post, url: server.url("/"), body: .text("data"))
            )
            #expect(response.status.code == status)
            #expect(try await response.body.collect() == Data("who are you?".utf8))
        }
        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0.first(of: "Authorization") == nil })
    }

    @Test func `gives the head back while the body is still on its way`() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/") { _ in
            [.head(200, headers: ["Content-Length": "6"]), .bytes("abc"), .wait(gate), .bytes("def")]
        }

        let response = try await get("/")
        #expect(response.body.stream?.expectedLength == 6)
        gate.open()

        #expect(try await response.body.collect() == Data("abcdef".utf8))
    }

    @Test func `knows no body for HEAD, 204 and an empty 200`() async throws {
        server.handle(nil, "/") { _ in .text("hidden") }
        server.handle("GET", "/204") { _ in .empty(204) }
        server.handle("GET", "/empty") { _ in .empty(200) }

        #expect(try await get("/", method: .head).body.collect().isEmpty)
        #expect(try await get("/204").body.collect().isEmpty)
        #expect(try await get("/empty").body.collect().isEmpty)
    }

    @Test func `skips interim responses`() async throws {
        server.handle("GET", "/") { _ in
            .text("final").after(.interim(103, headers: ["Link": "</a.css>"]))
        }

        let response = try await get("/")

        #expect(response.status == .ok)
        #expect(try await response.body.collect() == Data("final".utf8))
    }

    @Test func `keeps cookies apart and stores none`() async throws {
        server.handle("GET", "/") { _ in
            .status(
                200,
                headers: [
                    "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "Set-Cookie": "b=2",
                    "Vary": "Accept", "Vary": "Origin",
                ]
            )
        }

        let first = try await get("/")
        _ = try await get("/")

        #expect(
            first.headers.values(of: .setCookie)
                == ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "b=2"]
        )
        #expect(first.headers[.vary]?.replacing(" ", with: "") == "Accept,Origin")
        #expect(server.requests.allSatisfy { $0.first(of: "Cookie") == nil })
    }

    @Test func `answers nothing from memory`() async throws {
        server.handle("GET", "/") { _ in
            .status(200, headers: ["Cache-Control": "max-age=600", "ETag": "\"1\""], body: "fresh")
        }

        for _ in 1...3 { _ = try await get("/").body.collect() }

        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0.first(of: "If-None-Match") == nil })
    }

    @Test func `measures what it can`() async throws {
        server.handle("POST", "/") { _ in .text("12345") }

        let response = try await transport.send(
            NetworkRequest(method: .post, url: server.url("/"), body: .text("123"))
        )

        let firstByte = try #require(response.metrics?.firstByte)
        #expect(firstByte > .zero)
        if case .some = response.body.data {
            #expect(response.metrics?.bytesReceived == 5)
            #expect(try #require(response.metrics?.total) >= firstByte)
        }
        #expect(response.metrics?.bytesSent == 3)
    }

    @Test func `serves a network`() async throws {
        server.handle("GET", "/old") { _ in .redirect(to: "/new") }
        server.handle("GET", "/new") { _ in .json(#"{"name": "Ada"}"#) }
        let network = Network(baseURL: server.url, transport: transport)

        let response = try await network.send(NetworkRequest(url: server.url("/old")))

        #expect(response.body.data == Data(#"{"name": "Ada"}"#.utf8))
        #expect(response.url.path == "/new")
    }
}

struct SetCookieListTests {
    @Test(arguments: [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        ("a=1,b=2", ["a=1", "b=2"]),
        ("a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT, b=2", ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "b=2"]),
        ("a=; Path=/, __Host-b=; Secure", ["a=; Path=/", "__Host-b=; Secure"]),
        ("a=1,\u{301}b=2", ["a=1,\u{301}b=2"]), ("a=1, b=\u{301}2", ["a=1", "b=\u{301}2"]),
        ("a=1, b;\u{301}=2", ["a=1, b;\u{301}=2"]), ("", [""]),
    ])
    func `takes joined cookies apart`(joined: String, values: [String]) {
        #expect(SetCookieList.values(in: joined) == values)
    }
}
