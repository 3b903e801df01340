import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CheckTests {
    private func network(_ response: StubResponse) -> Network {
        Network(baseURL: api, transport: StubTransport([.otherwise.respond(response)]))
    }

    private let milk = StubResponse.json(["id": 1, "title": "Milk"])

    @Test func `passes for the status, whatever it is and whatever is in the body`() async throws {
        try await network(milk).check(GetTodo(id: 1), answers: .ok)
        try await network(.status(404)).check(GetTodo(id: 1), answers: .notFound)
        let response = try await network(.text("no JSON")).check(GetTodo(id: 1), answers: .ok)
        #expect(response.body.data == Data("no JSON".utf8))
    }

    @Test func `passes for status and model`() async throws {
        try await network(milk).check(GetTodo(id: 1), answers: .ok, with: Todo(id: 1, title: "Milk"))
        #expect(try await network(milk).check(GetTodo(id: 1), answers: .ok, as: Todo.self).title == "Milk")
        let problem = StubResponse.json(["reason": "gone"], status: 410)
        let request = DataRequest<[String: String]>(GetTodo(id: 1))
        try await network(problem).check(request, answers: .gone, with: ["reason": "gone"])
    }

    @Test func `asks the mock instead of the transport if told to`() async throws {
        let network = network(.status(500))
        try await network.check(GetTodo(id: 1), answers: .ok, mocked: true)
        try await network.check(GetTodo(id: 1), answers: .ok, with: Todo(id: 1, title: "Milk"), mocked: true)
        try await network.check(GetTodo(id: 1), answers: 500)
    }

    @Test func `says which status was there, with the body`() async {
        let failure = await #expect(throws: CheckFailure.self) {
            try await network(.json(["error": "no such thing"], status: 404)).check(GetTodo(id: 1), answers: .ok)
        }
        #expect(
            failure?.description == "GET https://api.test/v1/todos/1: expected status 200 OK, "
                + #"saw status 404 Not Found with the body {"error":"no such thing"}"#
        )
        #expect(failure?.localizedDescription == failure?.description)
    }

    @Test func `says which value was there`() async {
        let failure = await #expect(throws: CheckFailure.self) {
            try await network(milk).check(GetTodo(id: 1), answers: .ok, with: Todo(id: 2, title: "Milk"))
        }
        #expect(failure?.expected.contains("Todo(id: 2, title: \"Milk\")") == true)
        #expect(failure?.seen.contains("Todo(id: 1, title: \"Milk\")") == true)
    }

    @Test func `says what could not be read`() async {
        let failure = await #expect(throws: CheckFailure.self) {
            try await network(.json(["id": 1])).check(GetTodo(id: 1), answers: .ok, as: Todo.self)
        }
        #expect(failure?.expected == "status 200 OK with a Todo")
        #expect(failure?.seen.contains("no value at title") == true)
        #expect(failure?.underlying?.networkError?.code == .decodingFailed)
    }

    @Test func `a wrong status is told before a body that cannot be read`() async {
        let failure = await #expect(throws: CheckFailure.self) {
            try await network(.status(500)).check(GetTodo(id: 1), answers: .ok, as: Todo.self)
        }
        #expect(failure?.seen == "status 500 Internal Server Error without a body")
    }

    @Test func `says that there was no answer, and that there is no mock`() async {
        let offline = Network(baseURL: api, transport: StubTransport([.otherwise.fail(.offline)]))
        let failure = await #expect(throws: CheckFailure.self) { try await offline.check(GetTodo(id: 1), answers: .ok) }
        #expect(failure?.seen.contains("offline") == true)
        #expect(failure?.request == "GET https://api.test/v1/todos/1")

        let unmocked = await #expect(throws: CheckFailure.self) {
            try await offline.check(AddTodo(title: "Tea"), answers: .ok, mocked: true)
        }
        #expect(unmocked?.seen.contains("AddTodo: it has no mock") == true)
    }

    @Test func `shows no secret`() async {
        let secret = "hunter2-canary"
        let body = StubResponse.json(["access_token": .string(secret), "id": 1], status: 400)
        let request = NetworkRequest(url: URL(string: "https://api.test/?token=\(secret)")!)
        let failure = await #expect(throws: CheckFailure.self) { try await network(body).check(request, answers: .ok) }
        #expect(failure?.description.contains("\"id\":1") == true)
        #expect(failure.map { "\($0) \(String(reflecting: $0))" }?.contains(secret) == false)
    }
}
