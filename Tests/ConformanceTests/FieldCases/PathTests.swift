import Foundation
import Pipeline
import PipelineTesting
import Testing

/// B25: a base and a path join by one rule, and the server reads what was meant.
@Suite(.timeLimit(.minutes(3)))
struct PathTests {
    struct Join: Sendable, CustomStringConvertible {
        let base: String
        let path: String
        /// The target of the request line; nil if the path is refused.
        let target: String?

        init(_ base: String, _ path: String, _ target: String?) {
            self.base = base
            self.path = path
            self.target = target
        }

        var description: String { "\(base) + \(path)" }
    }

    private static let joins = [
        Join("/api/v1", "users", "/api/v1/users"),
        Join("/api/v1/", "users", "/api/v1/users"),
        Join("/api/v1", "/users", "/api/v1/users"),
        Join("/api/v1/", "/users", "/api/v1/users"),
        Join("/api/v1", "users/", "/api/v1/users/"),
        Join("/api/v1", "", "/api/v1"),
        Join("/api/v1/", "", "/api/v1/"),
        Join("", "users", "/users"),
        Join("/", "users", "/users"),
        Join("/api?k=1", "users", "/api/users?k=1"),
        Join("/api/?k=1&l=a%20b", "/users", "/api/users?k=1&l=a%20b"),
        Join("/a%2Fb", "c", "/a%2Fb/c"),
        Join("/api", "a b", "/api/a%20b"),
        Join("/api", "50%", "/api/50%25"),
        Join("/api", "ü", "/api/%C3%BC"),
        Join("/api", "a/b/c", "/api/a/b/c"),
        Join("/api", "users?x=2", nil),
        Join("/api", "users#x", nil),
        Join("/api", "../x", nil),
        Join("/api", "./x", nil),
        Join("/api", "a//b", nil),
        Join("/api", "//other/", nil),
        Join("/api", "http://other/", nil),
    ]

    private struct GetPath: Request {
        typealias Response = String
        let path: String

        func buildRequest(with baseURL: URL) throws -> NetworkRequest {
            NetworkRequest(url: try baseURL.joining(path))
        }
    }

    @Test(arguments: joins)
    func `the server receives the joined path, or nothing`(join: Join) async throws {
        let server = try LoopbackServer()
        server.handle { _ in .text("ok") }
        let network = Network(baseURL: server.url(join.base), transport: URLSessionTransport())
        let result = await network.result(of: GetPath(path: join.path))

        #expect(server.requests.map(\.target) == (join.target.map { [$0] } ?? []))
        if case .failure(let error) = result { #expect(error.code == .invalidRequest) }
    }
}
