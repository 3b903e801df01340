import Foundation
import PipelineTesting

/// The service, on a real socket. The token that its clients begin with has expired.
final class LibraryServer: Sendable {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.handle("GET", "/books") { _ in .json(#"[{"id": 1, "title": "Notes"}]"#) }
        server.handle("GET", "/books/:id") { request in
            request.parameters["id"] == "1"
                ? .json(#"{"id": 1, "title": "Notes"}"#) : .json(#"{"detail": "There is no such book."}"#, status: 404)
        }
        server.handle("POST", "/token") { _ in .json(#"{"access_token": "fresh", "refresh_token": "later"}"#) }
        handle("POST", "/books", with: .json(#"{"id": 2, "title": "Sketches"}"#, status: 201))
        handle("PUT", "/books/:id/cover", with: .empty())
        handle("DELETE", "/books/:id", with: .empty())
    }

    private func handle(_ method: String, _ path: String, with reply: LoopbackReply) {
        server.handle(method, path) { request in
            request.first(of: "Authorization") == "Bearer fresh" ? reply : .status(401)
        }
    }

    var url: URL { server.url }

    /// What the server was asked, a line for each request.
    var log: [String] { server.requests.map { "\($0.method) \($0.target)" } }
}
