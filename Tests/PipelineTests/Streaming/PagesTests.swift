import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Lists that come in pages, each a send of its own.
@Suite(.timeLimit(.minutes(3)))
struct PagesTests {
    /// GET /users?q=a%2Cb, a list of numbers.
    struct ListNumbers: Request {
        typealias Response = [Int]
        var headers: HTTPHeaders = [:]
        func buildRequest(with baseURL: URL) throws -> NetworkRequest {
            NetworkRequest(url: try baseURL.joining("users").appending(query: ["q": "a,b"]), headers: headers)
        }
    }

    /// The pages of a list by their targets.
    func server(_ pages: [String: (body: String, link: String?)]) -> ScriptedTransport {
        ScriptedTransport { request in
            let target = String(request.url.absoluteString.dropFirst("https://api.test".count))
            guard let page = pages[target] ?? pages[request.url.absoluteString] else {
                return NetworkResponse(status: 404, request: request)
            }
            var headers: HTTPHeaders = [:]
            if let link = page.link { headers[.link] = link }
            return NetworkResponse(status: 200, headers: headers, body: .bytes(Data(page.body)), request: request)
        }
    }

    func read(
        _ server: ScriptedTransport,
        _ paging: Paging<[Int]>,
        _ request: ListNumbers = ListNumbers(),
        upTo limit: Int = 10
    ) async throws -> [[Int]] {
        let pages = Network(baseURL: api, transport: server).pages(of: request, by: paging, upTo: limit)
        return try await pages.reduce(into: []) { $0.append($1.value) }
    }

    @Test func `by link, relative ones too, until there is none`() async throws {
        let server = server([
            "/users?q=a%2Cb": ("[1]", "</users?after=1>; rel=\"next\", </>; rel=prev"),
            "/users?after=1": ("[2]", "<?after=2>; rel=next"), "/users?after=2": ("[3]", "</>; rel=prev"),
        ])

        #expect(try await read(server, .link()) == [[1], [2], [3]])
        #expect(try await read(server, .link("last")) == [[1]])
    }

    @Test func `by number, until a page is empty or the last`() async throws {
        let server = server([
            "/users?q=a%2Cb&page=1": ("[1,2]", nil), "/users?q=a%2Cb&page=2": ("[3]", nil),
            "/users?q=a%2Cb&page=3": ("[]", nil), "/users?q=a%2Cb&offset=0": ("[1,2]", nil),
            "/users?q=a%2Cb&offset=2": ("[3]", nil),
        ])

        #expect(try await read(server, .number()) == [[1, 2], [3], []])
        #expect(try await read(server, .number { $0.count < 2 }) == [[1, 2], [3]])
        #expect(try await read(server, .number("offset", from: 0, step: 2) { $0.count < 2 }) == [[1, 2], [3]])
    }

    @Test func `by cursor, encoded once, until there is none`() async throws {
        let server = server([
            "/users?q=a%2Cb": ("[1]", "x=/&+"), "/users?q=a%2Cb&cursor=x%3D%2F%26%2B": ("[2]", ""),
        ])

        #expect(try await read(server, .cursor { $0.headers[.link] }) == [[1], [2]])
    }

    @Test func `by URL`() async throws {
        let server = server(["/users?q=a%2Cb": ("[1]", "/users?after=1"), "/users?after=1": ("[2]", nil)])
        let paging = Paging<[Int]>.url { page in page.headers[.link].flatMap { URL(string: $0) } }

        #expect(try await read(server, paging) == [[1], [2]])
    }

    @Test(arguments: [
        ("https://a.test", "https://a.test?page=2"), ("https://a.test/?page=1", "https://a.test/?page=2"),
        ("https://a.test/?page=1&x=1&page=7#f", "https://a.test/?x=1&page=2#f"),
        ("https://a.test/?p%61ge=1&pages=3&page", "https://a.test/?pages=3&page=2"),
        ("https://a.test/?x=%2c+~&&y", "https://a.test/?x=%2c+~&y&page=2"),
    ])
    func `the number takes the place of the one that is there`(url: String, expected: String) async throws {
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let request = NetworkRequest(url: URL(string: url)!)
        let paging = Paging<NetworkResponse>.number(from: 2) { _ in true }
        for try await page in Network(transport: server).pages(of: request, by: paging) {
            #expect(page.response.url.absoluteString == expected)
        }
        #expect(server.requests.count == 1)
    }

    @Test func `stops where a page leads back to one that was read`() async throws {
        let linked = server([
            "/users?q=a%2Cb": ("[1]", "</users?after=1>; rel=next"),
            "/users?after=1": ("[2]", "</users?q=a%2Cb>; rel=next"),
        ])
        #expect(try await read(linked, .link()) == [[1], [2]])
        let itself = server(["/users?q=a%2Cb": ("[1]", "<>; rel=next")])
        #expect(try await read(itself, .link()) == [[1]])
        let cursor = server(["/users?q=a%2Cb": ("[1]", nil), "/users?q=a%2Cb&cursor=x": ("[2]", nil)])
        #expect(try await read(cursor, .cursor { _ in "x" }) == [[1], [2]])
    }

    @Test func `a list without an end is an error, and not fetched further than it is read`() async throws {
        let endless = ScriptedTransport {
            NetworkResponse(status: 200, body: .bytes(Data("[1]")), request: $0)
        }
        let error = await #expect(throws: NetworkError.self) { try await read(endless, .number(), upTo: 3) }
        #expect(error?.code == .pagingRefused)
        #expect(endless.requests.count == 3)

        let network = Network(baseURL: api, transport: endless)
        let first = network.pages(of: ListNumbers(), by: .number(), upTo: 3).prefix(2)
        #expect(try await first.reduce(0) { count, _ in count + 1 } == 2)
        #expect(endless.requests.count == 5)
    }

    @Test func `an error ends the list`() async throws {
        let server = server(["/users?q=a%2Cb": ("[1]", "</gone>; rel=next")])
        var pages = Network(baseURL: api, transport: server).pages(of: ListNumbers(), by: .link()).makeAsyncIterator()

        #expect(try await pages.next()?.value == [1])
        let error = await #expect(throws: NetworkError.self) { try await pages.next() }
        #expect(error?.statusCode == 404)
        #expect(try await pages.next() == nil)
    }

    // MARK: Credentials

    @Test func `what is secret stays in its origin, and actions decide anew`() async throws {
        let server = server([
            "/users?q=a%2Cb": ("[1]", "<https://other.test/users>; rel=next"),
            "https://other.test/users": ("[2]", "<https://api.test/back>; rel=next"), "/back": ("[3]", nil),
        ])
        let origins = EventLog()
        let signing = HookAction(willBegin: { request in
            origins.append(request.context.visitedOrigins.map(\.description).joined(separator: " "))
            return .proceed(request)
        })
        var headers: HTTPHeaders = [.authorization: "canary", "X-Plain": "1", .host: "api.test"]
        headers.setSensitive(
            "shared",
            for: "X-Shared",
            origins: [Origin("https://api.test")!, Origin("https://other.test")!]
        )
        let network = Network(baseURL: api, actions: [signing], transport: server)
        let pages = network.pages(of: ListNumbers(headers: headers), by: .link())

        #expect(try await pages.reduce(into: []) { $0.append($1.value) } == [[1], [2], [3]])
        #expect(server.requests.map { $0.headers[.authorization] } == ["canary", nil, "canary"])
        #expect(server.requests.map { $0.headers[.host] } == ["api.test", nil, "api.test"])
        #expect(server.requests.map { $0.headers["X-Shared"] } == ["shared", "shared", "shared"])
        #expect(server.requests.map { $0.headers["X-Plain"] } == ["1", "1", "1"])
    }

    @Test(arguments: [
        "http://api.test/2", "file:///etc/passwd", "https://ada:secret@api.test/2", "mailto:ada@api.test",
    ])
    func `a page is not fetched where no send must go`(target: String) async throws {
        let server = server(["/users?q=a%2Cb": ("[1]", "<\(target)>; rel=next")])
        let error = await #expect(throws: NetworkError.self) { try await read(server, .link()) }

        #expect(error?.code == .pagingRefused)
        #expect(error?.reach == .no)
        #expect(server.requests.count == 1)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `goes on from where a redirect has led`() async throws {
        let server = ScriptedTransport { request in
            switch request.url.absoluteString {
            case "https://api.test/users?q=a%2Cb":
                NetworkResponse(status: 302, headers: [.location: "https://www.api.test/users"], request: request)
            case "https://www.api.test/users":
                NetworkResponse(
                    status: 200,
                    headers: [.link: "<?2>; rel=next"],
                    body: .bytes(Data("[1]")),
                    request: request
                )
            default:
                NetworkResponse(status: 200, body: .bytes(Data("[2]")), request: request)
            }
        }
        #expect(try await read(server, .link()) == [[1], [2]])
        #expect(server.requests.last?.url.absoluteString == "https://www.api.test/users?2")
    }
}
