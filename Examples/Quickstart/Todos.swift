import Foundation
import Pipeline
import PipelineActions

// What the application asks of its server. Each request says how to ask and what the answer is.

struct Todo: Codable, Sendable {
    var id: Int
    var title: String
}

struct ListTodos: Request {
    typealias Response = [Todo]

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("todos").appending(query: ["page": 1]))
    }
}

struct GetTodo: Request {
    typealias Response = Todo
    let id: Int

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.appending(segments: "todos", "\(id)"))
    }
}

/// A request that is its own body, and that asks for a token.
struct AddTodo: Request, Encodable {
    typealias Response = Todo
    let title: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(
            method: .post,
            url: try baseURL.joining("todos"),
            body: self,
            customProperties: ["requiresAuthentication": true]
        )
    }
}

struct GetSlowly: Request {
    typealias Response = String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("slow"))
    }
}

struct GetWhenReady: Request {
    typealias Response = String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("busy"))
    }
}
