import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Digest authentication against a server that checks the proofs.
@Suite(.timeLimit(.minutes(3)))
struct DigestOverSocketsTests {
    func network(_ server: LoopbackServer, password: String = "Circle of Life") throws -> Network {
        Network(
            baseURL: server.url,
            actions: [try .digest(user: "Mufasa", password: password)],
            transport: CurlTransport()
        )
    }

    @Test(arguments: ["MD5", "SHA-256"])
    func `a server takes the proof, for any target and method`(algorithm: String) async throws {
        let judge = DigestServer(algorithm: algorithm)
        let server = try LoopbackServer()
        server.handle { judge.answer($0) }
        let network = try network(server)
        let requests = [
            NetworkRequest(url: server.url), NetworkRequest(url: server.url("/a%20b/c;d?e=f&g=%2F")),
            NetworkRequest(method: .post, url: server.url("/form?x"), body: .text("hello")),
            NetworkRequest(method: .delete, url: server.url("/a/../b")),
        ]
        for request in requests { #expect(try await network.send(request).body.data == Data("welcome".utf8)) }
        #expect(
            judge.verdicts == [
                .missing, .right(nonceCount: "00000001"), .right(nonceCount: "00000002"),
                .right(nonceCount: "00000003"),
                .right(nonceCount: "00000004"),
            ]
        )
        #expect(server.requests.filter { $0.method == "POST" }.map(\.bodyText) == ["hello"])
    }

    @Test func `a stale nonce is replaced`() async throws {
        let judge = DigestServer()
        let server = try LoopbackServer()
        server.handle { judge.answer($0) }
        let network = try network(server)
        for _ in 0..<2 {
            _ = try await network.send(NetworkRequest(url: server.url))
            judge.age()
        }
        #expect(
            judge.verdicts == [.missing, .right(nonceCount: "00000001"), .stale, .right(nonceCount: "00000001")]
        )
    }

    /// A case from the field: the same wrong credential is sent until a limit turns a clear 401 into another error.
    @Test func `a wrong password costs two requests, and the caller gets the 401 with its body`() async throws {
        let judge = DigestServer()
        let server = try LoopbackServer()
        server.handle { judge.answer($0) }
        let network = try network(server, password: "wrong")
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: server.url)) }
        #expect(error?.statusCode == 401)
        #expect(error?.payloadData == Data("who are you?".utf8))
        #expect(error?.attempts == 2)
        #expect(judge.verdicts == [.missing, .wrong])
    }

    /// A case from the field: credentials follow a redirect to another origin.
    @Test func `another port that asks gets no answer, nor does the first once the send was there`() async throws {
        let judge = DigestServer()
        let own = try LoopbackServer()
        let other = try LoopbackServer()
        let there = other.url("/there").absoluteString
        let back = own.url("/back").absoluteString
        own.handle { judge.answer($0) }
        own.handle("GET", "/away") { request in
            request.first(of: "Authorization") == nil ? judge.answer(request) : .redirect(to: there)
        }
        other.handle { judge.answer($0) }
        other.handle("GET", "/there") { _ in .redirect(to: back) }
        let network = try network(own)
        #expect(await network.result(of: NetworkRequest(url: own.url("/away"))).refusedStatus == 401)
        #expect(await network.result(of: NetworkRequest(url: other.url("/asks"))).refusedStatus == 401)

        #expect(own.requests.map { $0.first(of: "Authorization") != nil } == [false, true, false])
        #expect(other.requests.map { $0.first(of: "Authorization") != nil } == [false, false])
    }

    @Test func `sends side by side count together, and no count is used twice`() async throws {
        let judge = DigestServer()
        let server = try LoopbackServer()
        server.handle { judge.answer($0) }
        let network = try network(server)
        await withTaskGroup { group in
            for number in 0..<100 {
                let request = NetworkRequest(url: server.url("/\(number)"))
                group.addTask { await network.result(of: request).refusedStatus }
            }
            for await status in group { #expect(status == nil) }
        }
        let counts = judge.verdicts.compactMap { verdict in
            if case .right(let count) = verdict { Int(count, radix: 16) } else { nil }
        }
        #expect(counts.sorted() == Array(1...100))
        #expect(!judge.verdicts.contains(.wrong))
    }

    @Test func `sends side by side get over a nonce that goes stale among them`() async throws {
        let judge = DigestServer()
        let server = try LoopbackServer()
        server.handle { judge.answer($0) }
        let network = try network(server)
        _ = try await network.send(NetworkRequest(url: server.url))
        judge.age()
        await withTaskGroup { group in
            for number in 0..<50 {
                let request = NetworkRequest(url: server.url("/\(number)"))
                group.addTask { await network.result(of: request).refusedStatus }
            }
            for await status in group { #expect(status == nil) }
        }
        #expect(!judge.verdicts.contains(.wrong))
    }
}
