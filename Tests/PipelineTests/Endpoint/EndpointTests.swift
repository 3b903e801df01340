import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

struct EndpointTests {
    private enum Todos: Endpoint {
        case todo(Int)
        case add(String)
        case elsewhere
        case broken
        case unknown

        var baseURL: BaseURL? {
            get throws {
                switch self {
                case .todo, .add: nil
                case .elsewhere: "https://other.example/v2"
                case .broken: BaseURL("not a url?secret=1")
                case .unknown: throw Missing()
                }
            }
        }

        var path: EndpointPath {
            switch self {
            case .todo(let id): "todos/\(id)"
            default: "todos"
            }
        }

        var method: HTTPMethod { if case .add = self { .post } else { .get } }

        var headers: HTTPHeaders { ["X-Version": 2, "X-Debug": true] }

        var data: EndpointData { if case .add(let text) = self { .json(["text": .string(text)]) } else { .plain } }

        var mockedData: Data? { if case .add(let text) = self { Data("[\"\(text)\"]".utf8) } else { nil } }

        var acceptableStatuses: HTTPStatusSet? { [.ok, .notFound] }

        var timeLimits: TimeLimits { TimeLimits(attempt: .seconds(700)) }

        struct Missing: Error {}
    }

    @Test func `builds on the network's base URL`() throws {
        let built = try Todos.todo(7).buildRequest(withOptional: URL(string: "https://example.com/api"))

        #expect(built.url.absoluteString == "https://example.com/api/todos/7")
        #expect(built.method == .get)
        #expect(built.headers["X-Version"] == "2")
        #expect(built.headers["X-Debug"] == "true")
        #expect(built.acceptableStatuses == [.ok, .notFound])
        #expect(built.timeLimits.attempt == .seconds(700))
        #expect(built.baseURL == nil)
    }

    @Test func `brings a base URL of its own, which it is known by`() throws {
        let built = try Todos.elsewhere.buildRequest(withOptional: nil)

        #expect(built.url.absoluteString == "https://other.example/v2/todos")
        #expect(built.baseURL?.absoluteString == "https://other.example/v2")
    }

    @Test func `is an invalid request without any base URL, or with a wrong one`() async throws {
        let network = Network(transport: ScriptedTransport([]))
        for endpoint in [Todos.todo(1), .broken, .unknown] {
            let error = await #expect(throws: NetworkError.self) { try await network.send(endpoint) }

            #expect(error?.code == .invalidRequest)
            #expect(error?.reach == .no)
            #expect("\(String(describing: error))".contains("secret") == false)
        }
    }

    @Test func `answers with its mock where nothing is sent`() async throws {
        let network = Network(baseURL: URL(string: "https://example.com"), transport: ScriptedTransport([])).mocking()
        let error = await #expect(throws: NetworkError.self) { try await network.send(Todos.todo(1)) }

        #expect(try await network.send(Todos.add("a").as([String].self)) == ["a"])
        #expect(error?.reach == .no)
    }

    @Test func `goes by the type of the enumeration, also as another type`() {
        #expect(Todos.todo(1).requestType is Todos.Type)
        #expect(Todos.todo(1).as(String.self).requestType is Todos.Type)
    }
}
