import Foundation
import PipelineTesting

/// The service, on a real socket, whose tokens are numbers.
final class AccountServer: Sendable {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.handle("POST", "/login") { _ in .json(#"{"access_token": "1", "refresh_token": "once"}"#) }
        accept("1")
    }

    var url: URL { server.url }

    /// Makes all tokens worthless but the next one.
    func expireTokens() {
        accept("2")
        server.handle("POST", "/token") { _ in .json(#"{"access_token": "2", "refresh_token": "later"}"#) }
    }

    /// Makes all tokens worthless, and gives out no more.
    func endLogin() {
        accept("none")
        server.handle("POST", "/token") { _ in .json(#"{"error": "invalid_grant"}"#, status: 400) }
    }

    private func accept(_ token: String) {
        server.handle("GET", "/notes") { request in
            request.first(of: "Authorization") == "Bearer \(token)" ? .json(#"["milk"]"#) : .status(401)
        }
    }

    /// What the server was asked, a line for each request.
    var log: [String] {
        server.requests.map { request in
            let credential = request.first(of: "Authorization").map { " \($0)" } ?? ""
            return "\(request.method) \(request.target)\(credential)"
        }
    }
}
