import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ReplayTransportTests {
    private func exchange(_ method: String, _ path: String, _ answer: String, body: CassetteBody = .empty)
        -> Cassette.Exchange
    {
        Cassette.Exchange(
            request: .init(method: method, url: "https://api.test\(path)", body: body),
            response: .init(status: 200, body: .text(answer))
        )
    }

    private func text(_ player: ReplayTransport, _ path: String, _ method: HTTPMethod = .get) async throws -> String {
        let request = NetworkRequest(method: method, url: URL(string: "https://api.test\(path)")!)
        return try await Network(transport: player).send(DataRequest<String>(request))
    }

    private func unmatched(
        _ player: ReplayTransport,
        _ request: NetworkRequest
    ) async throws -> UnmatchedRequest {
        let error = await #expect(throws: NetworkError.self) { try await Network(transport: player).send(request) }
        #expect(error?.code == .unmatchedRequest)
        #expect(error?.reach == .no)
        return try #require(error?.underlying as? UnmatchedRequest)
    }

    // MARK: Order

    @Test func `strict: in order, each once`() async throws {
        let player = ReplayTransport(
            Cassette([exchange("GET", "/a", "1"), exchange("GET", "/a", "2"), exchange("GET", "/b", "3")])
        )
        #expect(throws: CassetteLeftover.self) { try player.verify() }
        #expect(try await text(player, "/a") == "1")
        #expect(try await text(player, "/a") == "2")
        let leftover = #expect(throws: CassetteLeftover.self) { try player.verify() }
        #expect(leftover?.description == "not sent, but on the cassette: GET https://api.test/b")
        #expect(try await text(player, "/b") == "3")
        try player.verify()

        let error = try await unmatched(player, NetworkRequest(url: URL(string: "https://api.test/b")!))
        #expect(
            error.description.contains(
                "the cassette is at its end; (1) GET https://api.test/b, number 3: it was played"
            )
        )
    }

    @Test func `strict: what is not its turn fails, and its turn is still to come`() async throws {
        let player = ReplayTransport(Cassette([exchange("GET", "/a?x=1", "1"), exchange("GET", "/b", "2")]))
        let error = try await unmatched(player, NetworkRequest(url: URL(string: "https://api.test/b")!))
        #expect(
            error.description == "GET https://api.test/b: it is not number 1 of 2 on the cassette, whose turn it is; "
                + "(1) GET https://api.test/a?…, number 1: the URL is another; "
                + "(2) GET https://api.test/b, number 2: it is not its turn"
        )
        #expect(try await text(player, "/a?x=1") == "1")
        #expect(try await text(player, "/b") == "2")
    }

    @Test func `lenient: in any order, and the last answer for ever`() async throws {
        let cassette = Cassette([exchange("GET", "/a", "1"), exchange("GET", "/b", "2"), exchange("GET", "/a", "3")])
        let player = ReplayTransport(cassette, matching: .lenient)
        var texts: [String] = []
        for path in ["/b", "/a", "/a", "/a", "/b"] { texts.append(try await text(player, path)) }
        #expect(texts == ["2", "1", "3", "3", "2"])
        try player.verify()
    }

    @Test func `the nearest are named, three at most`() async throws {
        let far = (1...5).map { exchange("PUT", "/\($0)", "x", body: .text("y")) }
        let cassette = Cassette(far + [exchange("POST", "/a", "1", body: .json(["b": 1]))])
        let request = NetworkRequest(method: .post, url: URL(string: "https://api.test/a")!, body: .json(["b": 2]))
        let error = try await unmatched(ReplayTransport(cassette, matching: .lenient), request)
        #expect(error.candidates.count == 3)
        #expect(error.candidates.first?.name == "POST https://api.test/a, number 6")
        #expect(error.candidates.first?.reasons == ["the body is other JSON at b"])
        let empty = try await unmatched(ReplayTransport(Cassette()), request)
        #expect(empty.description == "POST https://api.test/a: the cassette is empty")
    }

    // MARK: Matching

    @Test func `what counts is chosen`() async throws {
        var recorded = exchange("POST", "/a", "1", body: .json(["a": 1]))
        recorded.request.headers = ["Accept: text/plain", "X-A: 1"]
        let url = URL(string: "https://api.test/a")!
        let same = NetworkRequest(
            method: .post,
            url: url,
            headers: ["X-A": "1", "accept": "text/plain"],
            body: .json(["a": 1.0])
        )
        var otherField = same
        otherField.headers["X-A"] = "2"
        var otherBody = same
        otherBody.body = .json(["a": 2])
        var noBody = same
        noBody.body = .none
        let withField = CassetteMatching(.lenient, headerNames: ["X-A", "Accept"])
        let withoutBody = CassetteMatching(.lenient, comparesBody: false)
        let cases: [(NetworkRequest, CassetteMatching, String?)] = [
            (same, .lenient, nil), (same, withField, nil), (otherField, .lenient, nil),
            (otherField, withField, "the field X-A is another"),
            (otherBody, .lenient, "the body is other JSON at a"), (otherBody, withoutBody, nil),
            (noBody, .lenient, "the body is another"),
        ]
        for (request, matching, reason) in cases {
            let player = ReplayTransport(Cassette([recorded]), matching: matching)
            if let reason {
                #expect(try await unmatched(player, request).candidates.map(\.reasons) == [[reason]])
            } else {
                #expect(try await Network(transport: player).send(request).status == 200)
            }
        }
    }

    @Test func `a secret matches any other in its place, and is in no error`() async throws {
        func request(_ secret: String, page: Int = 1) -> NetworkRequest {
            NetworkRequest(
                method: .post,
                url: URL(string: "https://api.test/a?access_token=\(secret)&page=\(page)")!,
                headers: ["Authorization": "Bearer \(secret)"],
                body: .json(["password": .string(secret), "page": .int(page)])
            )
        }
        let folder = try TemporaryFolder()
        let answers = StubTransport([.otherwise.respond(.text("yes"))])
        let recorder = RecordingTransport(around: answers, to: folder.file("a.json"))
        _ = try await Network(transport: recorder).send(request("first"))

        let matching = CassetteMatching(.lenient, headerNames: ["Authorization"])
        let player = ReplayTransport(recorder.cassette, matching: matching)
        #expect(try await Network(transport: player).send(request("second-canary")).status == 200)
        let error = try await unmatched(player, request("second-canary", page: 2))
        #expect(error.candidates.map(\.reasons) == [["the URL is another", "the body is other JSON at page"]])
        #expect(!"\(error)".contains("canary"))
    }

    // MARK: What is played

    @Test func `what was recorded over a whole send is played again, redirects and failures included`() async throws {
        let folder = try TemporaryFolder()
        let live = StubTransport([
            .when(path: "/v1/todos/1").respond(.status(302, headers: ["Location": "/next?code=hunter2"])),
            .when(path: "/next").respond(.json(["id": 1, "title": "é"], headers: ["Content-Length": 28, "X-A": 1])),
            .when(path: "/v1/todos/2").fail(.connectionLost),
        ])
        let recorder = RecordingTransport(around: live, to: folder.file("a.json"))
        let player = { try ReplayTransport(contentsOf: folder.file("a.json")) }
        for makeTransport in [{ recorder }, player] as [() throws -> any Transport] {
            let network = Network(baseURL: api, transport: try makeTransport())
            let reply = try await network.reply(to: GetTodo(id: 1))
            #expect(reply.value == Todo(id: 1, title: "é"))
            #expect(reply.headers["X-A"] == "1")
            let error = await #expect(throws: NetworkError.self) { try await network.send(GetTodo(id: 2)) }
            #expect(error?.code == .connectionLost)
            try recorder.save()
        }
        #expect(live.received.count == 3)
    }

    @Test func `the length of a body is that of the one that is played`() async throws {
        var recorded = exchange("GET", "/a", "é")
        recorded.response?.headers = ["Content-Length: 400", "X-A: 1"]
        var head = recorded
        head.request.method = "HEAD"
        let player = ReplayTransport(Cassette([recorded, head]), matching: .lenient)
        let url = URL(string: "https://api.test/a")!
        #expect(try await player.send(NetworkRequest(url: url)).headers == ["Content-Length": 2, "X-A": 1])
        #expect(try await player.send(NetworkRequest(method: .head, url: url)).headers[.contentLength] == "400")
    }

    @Test func `a body that broke off breaks off, and one that was not kept is an error`() async throws {
        var broken = exchange("GET", "/a", "one")
        broken.failure = "connection-lost"
        var omitted = exchange("GET", "/b", "")
        omitted.response?.body = .omitted(size: 3)
        let player = ReplayTransport(Cassette([broken, omitted]))

        let response = try await player.send(NetworkRequest(url: URL(string: "https://api.test/a")!))
        var chunks = response.body.makeAsyncIterator()
        #expect(try await chunks.next() == Data("one".utf8))
        let error = await #expect(throws: NetworkError.self) { try await response.body.collect() }
        #expect(error?.code == .bodyAlreadyRead)
        do {
            _ = try await chunks.next()
            Issue.record("the body goes on")
        } catch {
            #expect(error.networkError?.code == .connectionLost)
        }
        let missing = await #expect(throws: NetworkError.self) { try await text(player, "/b") }
        #expect(missing?.code == .fileFailed)
    }

    @Test func `after its shutdown it plays no more`() async {
        let player = ReplayTransport(Cassette([exchange("GET", "/a", "1")]))
        await player.shutdown()
        let error = await #expect(throws: NetworkError.self) { try await text(player, "/a") }
        #expect(error?.code == .transportUnavailable)
    }
}
