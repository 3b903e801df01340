import Pipeline
import PipelineTesting
import XCTest

/// The checks work the same under XCTest.
final class CheckXCTests: XCTestCase {
    private let network = Network(
        baseURL: api,
        transport: StubTransport([.when(GetTodo.self).respond(.json(["id": 1, "title": "Milk"]))])
    )

    func testPasses() async throws {
        try await network.check(GetTodo(id: 1), answers: .ok)
        try await network.check(GetTodo(id: 1), answers: .ok, with: Todo(id: 1, title: "Milk"))
        try await network.check(GetTodo(id: 2), answers: .ok, with: Todo(id: 2, title: "Milk"), mocked: true)
    }

    func testThrowsWithAMessage() async {
        do {
            try await network.check(GetTodo(id: 1), answers: .created)
            XCTFail("a check of another status passes")
        } catch {
            XCTAssertTrue(error.description.hasPrefix("GET https://api.test/v1/todos/1: expected status 201 Created"))
        }
    }
}
