import Dispatch
import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct EndpointsTests {
    enum Todos: Endpoint {
        case todo(Int)

        var path: EndpointPath {
            switch self {
            case .todo(let id): "todos/\(id)"
            }
        }
    }

    struct Todo: Codable, Sendable, Hashable { var id: Int }

    private typealias Send = @Sendable (Endpoints<Todos>) async throws -> Todo

    private static let faces: [(name: String, send: Send)] = [
        ("send", { try await $0.send(.todo(7), as: Todo.self) }),
        ("reply", { try await $0.reply(to: .todo(7), as: Todo.self).value }),
        ("result", { try await $0.result(of: .todo(7), as: Todo.self).get() }),
        ("response", { try JSONDecoder().decode(Todo.self, from: try await $0.send(.todo(7)).body.collect()) }),
        ("stream", { try JSONDecoder().decode(Todo.self, from: try await $0.stream(.todo(7)).body.collect()) }),
        (
            "states",
            { todos in
                for await state in todos.states(of: .todo(7), as: Todo.self) {
                    if let error = state.error { throw error }
                    if let value = state.value { return value }
                }
                throw CancellationError()
            }
        ),
        (
            "updates",
            { todos in
                for try await case .finished(let value) in todos.updates(of: .todo(7), as: Todo.self) { return value }
                throw CancellationError()
            }
        ),
        (
            "main actor callback",
            { todos in
                let result = OneShot<Result<Todo, NetworkError>>()
                todos.send(.todo(7), as: Todo.self) {
                    dispatchPrecondition(condition: .onQueue(.main))
                    result.resolve($0)
                }
                return try await result.value().get()
            }
        ),
        (
            "queue callback",
            { todos in
                let result = OneShot<Result<Todo, NetworkError>>()
                let queue = DispatchQueue(label: "test.endpoints")
                todos.send(.todo(7), as: Todo.self, on: queue) {
                    dispatchPrecondition(condition: .onQueue(queue))
                    result.resolve($0)
                }
                return try await result.value().get()
            }
        ),
    ]

    @Test(arguments: faces.map(\.name))
    func `sends through every face`(name: String) async throws {
        let face = try #require(Self.faces.first { $0.name == name })
        let transport = ScriptedTransport([.json(#"{"id":7}"#), .status(500)])
        let todos = Network(baseURL: api, transport: transport).endpoints(Todos.self)

        #expect(try await face.send(todos) == Todo(id: 7))
        await #expect(throws: NetworkError.self) { try await face.send(todos) }
        #expect(transport.requests.map(\.url.path) == ["/todos/7", "/todos/7"])
    }
}
