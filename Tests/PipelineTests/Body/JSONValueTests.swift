import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct JSONValueTests {
    func sent(_ body: RequestBody) async throws -> RequestBody {
        let (network, sent) = Network.recording()
        _ = try await network.send(.post("x").body(body))
        return try #require(sent.request?.body)
    }

    @Test func `writes mixed and nested literals, sorted by name`() async throws {
        let name = "Zoë/\"x\""
        let body = try await sent(
            .json([
                "on": true, "id": 1, "none": nil, "half": 0.5, "minus": -3, "name": .string(name),
                "greeting": "hi \(name)",
                "list": [1, "a", nil, [], ["b": false]], "twice": 1, "twice": 2,
            ])
        )
        #expect(body.contentType == "application/json")
        #expect(
            try await body.readText()
                == #"{"greeting":"hi Zoë/\"x\"","half":0.5,"id":1,"list":[1,"a",null,[],{"b":false}],"minus":-3,"#
                + #""name":"Zoë/\"x\"","none":null,"on":true,"twice":2}"#
        )
    }

    @Test(
        arguments: [
            (nil, "null"), (true, "true"), ("a", "\"a\""), (0, "0"), ([], "[]"), ([:], "{}"),
            (.int(.max), "9223372036854775807"),
            (.int(.min), "-9223372036854775808"), (0.1, "0.1"), (["é": ["日本": "\n"]], #"{"é":{"日本":"\n"}}"#),
        ] as [(JSONValue, String)]
    )
    func `writes any value, and reads it back`(value: JSONValue, text: String) async throws {
        #expect(try await sent(.json(value)).readText() == text)
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
    }

    @Test func `tells numbers apart by what an integer can hold`() throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data("[1, 1.5, 1e30, true]".utf8))
        #expect(value == [1, 1.5, 1e30, true])
    }

    @Test func `a number that is not finite is an encoding error`() async throws {
        let error = await #expect(throws: NetworkError.self) { try await sent(.json(["a": .double(.nan)])) }
        #expect(error?.code == .encodingFailed)
    }

    @Test func `sends ready-made text as it is`() async throws {
        let body = try await sent(.json(text: "{ \"a\" : 1 }\n"))
        #expect(try await body.readText() == "{ \"a\" : 1 }\n")
        #expect(body.contentType == "application/json")
    }

    @Test func `an encoder of the body wins over that of the request`() async throws {
        let (network, sent) = Network.recording(configuration: NetworkConfiguration())
        let body = RequestBody.value(User(name: "Ada"), encoder: FormEncoder())
        _ = try await network.send(.post("x").body(body).setting(\.encoder, to: JSONBodyEncoder()))
        #expect(sent.request?.body.data == Data("name=Ada".utf8))
        #expect(sent.request?.headers[.contentType] == "application/x-www-form-urlencoded")
    }
}
