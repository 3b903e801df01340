import Foundation
import PipelineTesting

/// A small JSON API on a real socket.
final class TodoServer: Sendable {
    /// What must never stand in a log.
    static let secrets = ["open sesame", "first-token", "first-renewal", "second-token", "second-renewal"]

    private let server: LoopbackServer
    private let slowGate = LoopbackGate()

    init() throws {
        server = try LoopbackServer()
        server.handle("GET", "/todos") { _ in
            .json(#"[{"id": 1, "title": "Write a request"}, {"id": 2, "title": "Register an action"}]"#)
        }
        server.handle("GET", "/todos/1") { _ in .json(#"{"id": 1, "title": "Write a request"}"#) }
        server.handle("GET", "/todos/404") { _ in
            .json(#"{"title": "Not found", "detail": "There is no todo 404."}"#, status: 404)
        }
        server.handle("POST", "/todos") { request in
            guard Self.isAuthorized(request) else { return .status(401) }
            return .json(#"{"id": 3, "title": "Read the README"}"#, status: 201)
        }
        server.handle("GET", "/slow") { [slowGate] _ in
            LoopbackReply([.wait(slowGate)])
        }
        let answers = EventLog()
        server.handle("GET", "/busy") { _ in
            answers.append("asked")
            return answers.lines.count < 2 ? .status(503, headers: ["Retry-After": "1"]) : .text("ready")
        }
        handleAccounts()
    }

    private func handleAccounts() {
        server.handle("POST", "/login") { _ in
            .json(#"{"access_token": "first-token", "refresh_token": "first-renewal", "expires_in": 3600}"#)
        }
        server.handle("POST", "/token") { _ in
            .json(#"{"access_token": "second-token", "refresh_token": "second-renewal", "expires_in": 3600}"#)
        }
        server.handle("GET", "/inbox") { Self.isAuthorized($0) ? .text("2 messages") : .status(401) }
    }

    /// The first token has expired by the time it is used: the server says so, whatever it promised.
    private static func isAuthorized(_ request: LoopbackRequest) -> Bool {
        request.first(of: "Authorization") == "Bearer second-token"
    }

    var url: URL { server.url }

    /// How often a token was renewed.
    var renewals: Int { server.requests.filter { $0.target == "/token" }.count }

    /// What the server received, a line for each request, but for those that came all at once.
    var log: [String] {
        server.requests.filter { !["/inbox", "/token"].contains($0.target) }.map { request in
            let token = Self.isAuthorized(request) ? ", with a token" : ""
            let isPublic = request.target != "/login" && !request.body.isEmpty
            let body = isPublic ? ", body \(String(decoding: request.body, as: UTF8.self))" : ""
            return "\(request.method) \(request.target)\(token)\(body)"
        }
    }

    func untilSlowRequestArrived() async {
        await slowGate.arrival()
    }
}
