import Foundation
import Pipeline
import PipelineTesting

let api = URL(string: "https://api.test/v1")!

struct Todo: Codable, Sendable, Equatable {
    var id: Int
    var title: String
}

/// GET /v1/todos/ID, with a mock.
struct GetTodo: MockedRequest {
    typealias Response = Todo
    var id: Int
    var mockedData: Data { Data(#"{"id": \#(id), "title": "Milk"}"#.utf8) }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("todos").appending(segments: "\(id)"))
    }
}

/// POST /v1/todos, without a mock.
struct AddTodo: Request {
    typealias Response = Todo
    var title: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("todos"), body: ["title": title])
    }
}
