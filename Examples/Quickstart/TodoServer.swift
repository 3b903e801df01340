import Foundation
import PipelineTesting

/// A small JSON API on a real socket.
final class TodoServer: Sendable {
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
            guard request.first(of: "X-API-Key") == "demo-key" else { return .status(401) }
            return .json(#"{"id": 3, "title": "Read the README"}"#, status: 201)
        }
        server.handle("GET", "/slow") { [slowGate] _ in
            LoopbackReply([.wait(slowGate)])
        }
        let answers = EventLog()
        server.handle("GET", "/flaky") { _ in
            answers.append("asked")
            return answers.lines.count < 3 ? .status(503) : .text("ready")
        }
    }

    var url: URL { server.url }

    /// What the server received, a line for each request.
    var log: [String] {
        server.requests.map { request in
            let key = request.first(of: "X-API-Key").map { ", key \($0)" } ?? ""
            let body = request.body.isEmpty ? "" : ", body \(String(decoding: request.body, as: UTF8.self))"
            return "\(request.method) \(request.target)\(key)\(body)"
        }
    }

    func untilSlowRequestArrived() async {
        await slowGate.arrival()
    }
}
