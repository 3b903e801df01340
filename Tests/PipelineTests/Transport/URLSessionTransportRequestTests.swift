import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct URLSessionTransportRequestTests {
    let server: LoopbackServer
    let transport = URLSessionTransport()

    init() throws {
        server = try LoopbackServer()
        server.handle { _ in .text("ok") }
    }

    /// Sends a request and tells what the server saw.
    func arrival(of request: NetworkRequest) async throws -> LoopbackRequest {
        _ = try await transport.send(request).body.collect()
        return try #require(server.requests.last)
    }

    enum Body: CaseIterable {
        case bytes
        case file
        case streamOfKnownLength
        case streamOfUnknownLength
        case streamBeyondMemory
    }

    func make(_ body: Body, in folder: TemporaryFolder) throws -> RequestBody {
        let text = Data("hello world".utf8)
        let pieces = [text.prefix(5), text.suffix(6)]
        let large = Data(repeating: 7, count: 100_000)
        return switch body {
        case .bytes: .bytes(text)
        case .file: .file(try folder.write(text, as: "body"))
        case .streamOfKnownLength: .stream(length: 11) { AsyncStream(pieces) }
        case .streamOfUnknownLength: .stream { AsyncStream(pieces) }
        case .streamBeyondMemory: .stream { AsyncStream(Array(repeating: large, count: 30)) }
        }
    }

    @Test(arguments: Body.allCases, [HTTPMethod.post, .put, .patch, .delete])
    func `frames a body by its length alone`(_ kind: Body, method: HTTPMethod) async throws {
        let folder = try TemporaryFolder()
        let body = try make(kind, in: folder)
        let expected = kind == .streamBeyondMemory ? 3_000_000 : 11

        let request = try await arrival(of: NetworkRequest(method: method, url: server.url("/"), body: body))

        #expect(request.method == method.rawValue)
        #expect(request.values(of: "Content-Length") == ["\(expected)"])
        #expect(request.values(of: "Transfer-Encoding").isEmpty)
        #expect(request.bodyByteCount == expected)
        if expected == 11 { #expect(request.bodyText == "hello world") }
        #expect(request.values(of: "Content-Type") == ["application/octet-stream"])
    }

    @Test func `refuses a stream that is shorter than it said, before anything is sent`() async throws {
        let body = RequestBody.stream(length: 12) { AsyncStream([Data("hello".utf8)]) }

        let error = await #expect(throws: NetworkError.self) {
            try await transport.send(NetworkRequest(method: .post, url: server.url("/"), body: body))
        }

        #expect(error?.code == .encodingFailed)
        #expect(error?.reach == .no)
        #expect(server.requests.isEmpty)
    }

    @Test func `refuses a file that is not there`() async throws {
        let file = URL(fileURLWithPath: "/nowhere/at/all")

        let error = await #expect(throws: NetworkError.self) {
            try await transport.send(NetworkRequest(method: .post, url: server.url("/"), body: .file(file)))
        }

        #expect(error?.code == .fileFailed)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .get])
    func `declares no type for a request without a body`(method: HTTPMethod) async throws {
        let request = try await arrival(of: NetworkRequest(method: method, url: server.url("/")))

        #expect(request.first(of: "Content-Type") == nil)
        #expect(request.bodyByteCount == 0)
        #expect(request.first(of: "Transfer-Encoding") == nil)
    }

    @Test func `sends the type that the request names`() async throws {
        let request = try await arrival(
            of: NetworkRequest(
                method: .post,
                url: server.url("/"),
                headers: ["content-type": "application/vnd.api+json"],
                body: .text("{}")
            )
        )

        #expect(request.values(of: "Content-Type") == ["application/vnd.api+json"])
    }

    @Test func `sends fields as they are, and those of one name joined`() async throws {
        var headers: HTTPHeaders = ["Accept": "a/b", "X-Empty": "", "Accept-Language": "de", "User-Agent": "Mail/2"]
        headers.append(name: "Accept", value: "c/d")
        headers.append(name: "Cookie", value: "a=1")
        headers.append(name: "Cookie", value: "b=2")

        let request = try await arrival(of: NetworkRequest(url: server.url("/"), headers: headers))

        #expect(request.values(of: "Accept") == ["a/b, c/d"])
        #expect(request.values(of: "Cookie") == ["a=1; b=2"])
        #expect(request.values(of: "X-Empty") == [""])
        #expect(request.values(of: "User-Agent") == ["Mail/2"])
        #expect(request.values(of: "Accept-Language") == ["de"])
    }

    @Test func `accepts the codings that it can undo`() async throws {
        let request = try await arrival(of: NetworkRequest(url: server.url("/")))

        #expect(try #require(request.first(of: "Accept-Encoding")).contains("gzip"))
    }

    @Test(arguments: ["/a%20b?x=%2B1&y=a%3Db", "/%7Bid%7D", "/?", "/a//b/c;d=1", "/%C3%A4"])
    func `sends the target as it is`(target: String) async throws {
        let request = try await arrival(of: NetworkRequest(url: server.url(target)))

        #expect(request.target == target)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://host.test/", "data:text/plain,x", "/relative", "http:///x"])
    func `refuses what is not http`(url: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await transport.send(NetworkRequest(url: URL(string: url)!))
        }

        #expect(error?.code == .invalidRequest)
        #expect(error?.reach == .no)
    }

    @Test func `never sends credentials out of a URL`() async throws {
        let url = URL(string: "http://ada:secret@127.0.0.1:\(server.port)/")!

        let error = await #expect(throws: NetworkError.self) { try await transport.send(NetworkRequest(url: url)) }

        #expect(error?.code == .invalidRequest)
        #expect(error?.description.contains("secret") == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `refuses pins before anything is sent`() async throws {
        var request = NetworkRequest(url: server.url("/"))
        request.tls = TLSPolicy(pins: ["127.0.0.1": ["sha256/AAAA"]])

        let error = await #expect(throws: NetworkError.self) { try await transport.send(request) }

        #expect(error?.code == .pinningUnsupported)
        #expect(error?.reach == .no)
        #expect(server.connections.isEmpty)
    }

    #if !canImport(Darwin)
        @Test func `refuses a minimum version of TLS on Linux`() async throws {
            var request = NetworkRequest(url: server.url("/"))
            request.tls = TLSPolicy(minimumVersion: .tls1_3)

            let error = await #expect(throws: NetworkError.self) { try await transport.send(request) }

            #expect(error?.code == .optionUnsupported)
            #expect(server.connections.isEmpty)
        }

        @Test func `says on Linux that an IPv6 host is impossible`() async throws {
            let error = await #expect(throws: NetworkError.self) {
                try await transport.send(NetworkRequest(url: URL(string: "http://[::1]:\(server.port)/")!))
            }

            #expect(error?.code == .invalidRequest)
            #expect(error?.description.contains("IPv6") == true)
        }
    #endif
}

extension AsyncStream<Data> {
    /// A stream of these chunks.
    fileprivate init(_ elements: [Data]) {
        self.init { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}
