import Foundation
import Pipeline
import PipelineTesting
import Testing

struct RequestAsTests {
    private func read<Value: Decodable & Sendable>(_ body: String, as type: Value.Type) async throws -> Value {
        let network = Network(baseURL: api, transport: ScriptedTransport([.status(200, body: body)]))
        return try await network.send(NetworkRequest(url: api).as(type))
    }

    @Test func `reads each type by the rules of requests`() async throws {
        #expect(try await read("[1,2]", as: [Int].self) == [1, 2])
        #expect(try await read("[1,2]", as: [Int]?.self) == [1, 2])
        #expect(try await read("[1,2]", as: Data.self) == Data("[1,2]".utf8))
        #expect(try await read("[1,2]", as: Data?.self) == Data("[1,2]".utf8))
        #expect(try await read("[1,2]", as: String.self) == "[1,2]")
        #expect(try await read("[1,2]", as: String?.self) == "[1,2]")
        #expect(try await read("[1,2]", as: JSONValue.self) == [1, 2])
    }

    @Test func `reads an empty body by the rules of requests`() async throws {
        #expect(try await read("", as: [Int]?.self) == nil)
        #expect(try await read("", as: Data.self).isEmpty)
        #expect(try await read("", as: Data?.self) == nil)
        #expect(try await read("", as: String.self).isEmpty)
        #expect(try await read("", as: String?.self) == nil)
        #expect(try await read("", as: JSONValue.self) == .null)
        let error = await #expect(throws: NetworkError.self) { try await read("", as: [Int].self) }
        #expect(error?.code == .emptyBody)
    }

    @Test func `what is not the value is a decoding error`() async {
        let error = await #expect(throws: NetworkError.self) { try await read("[1,2]", as: [String].self) }

        #expect(error?.code == .decodingFailed)
    }
}
