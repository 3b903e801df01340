import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B30: what an empty success is read as, by status and response type.
@Suite(.timeLimit(.minutes(3)))
struct EmptyBodyTests {
    private struct GetVoid: Request {
        typealias Response = Void
        let method: HTTPMethod
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(method: method, url: baseURL) }
    }

    private struct GetValue<Value: Decodable & Sendable>: Request {
        typealias Response = Value
        let method: HTTPMethod
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(method: method, url: baseURL) }
    }

    private struct GetOptional<Value: Decodable & Sendable>: Request {
        typealias Response = Value?
        let method: HTTPMethod
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(method: method, url: baseURL) }
    }

    private struct User: Decodable, Sendable, Equatable {
        let name: String
    }

    struct Answer: Sendable, CustomStringConvertible {
        let method: HTTPMethod
        let status: Int

        init(_ method: HTTPMethod, _ status: Int) {
            self.method = method
            self.status = status
        }

        var description: String { "\(method) \(status)" }
    }

    static let answers: [Answer] = [
        Answer(.get, 200), Answer(.post, 201), Answer(.get, 202), Answer(.get, 204), Answer(.get, 205),
        Answer(.head, 200),
        Answer(.get, 299),
    ]

    private func network(answering status: Int, _ kind: TransportKind) throws -> (Network, LoopbackServer) {
        let server = try LoopbackServer()
        server.handle { request in
            // The answer to HEAD names the length of a body that does not come.
            request.method == "HEAD" ? [.head(status, headers: ["Content-Length": "14"])] : .empty(status)
        }
        return (Network(baseURL: server.url, transport: kind.transport), server)
    }

    @Test(arguments: answers, TransportKind.allCases)
    func `is fine for a request that wants nothing`(answer: Answer, kind: TransportKind) async throws {
        let (network, server) = try network(answering: answer.status, kind)
        try await network.send(GetVoid(method: answer.method))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: answers, TransportKind.allCases)
    func `is nil for an optional`(answer: Answer, kind: TransportKind) async throws {
        let (network, server) = try network(answering: answer.status, kind)
        let user = try await network.send(GetOptional<User>(method: answer.method))
        let list = try await network.send(GetOptional<[User]>(method: answer.method))

        #expect(user == nil)
        #expect(list == nil)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: answers, TransportKind.allCases)
    func `is an error of its own for a value`(answer: Answer, kind: TransportKind) async throws {
        let (network, server) = try network(answering: answer.status, kind)
        let forUser = await #expect(throws: NetworkError.self) {
            try await network.send(GetValue<User>(method: answer.method))
        }
        let forList = await #expect(throws: NetworkError.self) {
            try await network.send(GetValue<[User]>(method: answer.method))
        }

        for error in [forUser, forList] {
            #expect(error?.code == .emptyBody)
            #expect(error?.statusCode == answer.status)
        }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `304 is the caller's own if the request was conditional`(kind: TransportKind) async throws {
        let (network, server) = try network(answering: 304, kind)
        let conditional = NetworkRequest(url: server.url, headers: [.ifNoneMatch: "\"1\""])
        let status = try await network.send(conditional).status

        #expect(status == 304)
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: server.url)) }
        #expect(error?.code == .unacceptableStatus)
    }
}
