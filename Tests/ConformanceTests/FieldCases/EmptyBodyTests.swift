import Foundation
import Pipeline
import PipelineTesting
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

    static let answers: [(method: HTTPMethod, status: Int)] = [
        (.get, 200), (.post, 201), (.get, 202), (.get, 204), (.get, 205), (.head, 200), (.get, 299),
    ]

    private func network(answering status: Int) throws -> (Network, LoopbackServer) {
        let server = try LoopbackServer()
        server.handle { request in
            // The answer to HEAD names the length of a body that does not come.
            request.method == "HEAD" ? [.head(status, headers: ["Content-Length": "14"])] : .empty(status)
        }
        return (Network(baseURL: server.url, transport: URLSessionTransport()), server)
    }

    @Test(arguments: answers)
    func `is fine for a request that wants nothing`(method: HTTPMethod, status: Int) async throws {
        let (network, server) = try network(answering: status)
        try await network.send(GetVoid(method: method))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: answers)
    func `is nil for an optional`(method: HTTPMethod, status: Int) async throws {
        let (network, server) = try network(answering: status)
        let user = try await network.send(GetOptional<User>(method: method))
        let list = try await network.send(GetOptional<[User]>(method: method))

        #expect(user == nil)
        #expect(list == nil)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: answers)
    func `is an error of its own for a value`(method: HTTPMethod, status: Int) async throws {
        let (network, server) = try network(answering: status)
        let forUser = await #expect(throws: NetworkError.self) {
            try await network.send(GetValue<User>(method: method))
        }
        let forList = await #expect(throws: NetworkError.self) {
            try await network.send(GetValue<[User]>(method: method))
        }

        for error in [forUser, forList] {
            #expect(error?.code == .emptyBody)
            #expect(error?.statusCode == status)
        }
        #expect(server.requests.count == 2)
    }

    @Test func `304 is the caller's own if the request was conditional`() async throws {
        let (network, server) = try network(answering: 304)
        let conditional = NetworkRequest(url: server.url, headers: [.ifNoneMatch: "\"1\""])
        let status = try await network.send(conditional).status

        #expect(status == 304)
        let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: server.url)) }
        #expect(error?.code == .unacceptableStatus)
    }
}
