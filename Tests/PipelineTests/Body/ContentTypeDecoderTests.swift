import Foundation
import Pipeline
import PipelineTesting
import Testing

/// Decoders by content type, and what the error says when something else comes.
@Suite(.timeLimit(.minutes(3)))
struct ContentTypeDecoderTests {
    /// Decodes nothing but says its name.
    struct Naming: BodyDecoder {
        let name: String
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            try JSONBodyDecoder().decode(type, from: Data("{\"name\":\"\(name)\"}"))
        }
    }

    static let decoder: ContentTypeDecoder = [
        "application/json": Naming(name: "first"), "Text/*": Naming(name: "text"), "+json": Naming(name: "suffix"),
        "application/problem+xml": Naming(name: "problem"),
    ]

    func read(_ type: String?, _ body: String = "x", _ decoder: any BodyDecoder = decoder) async throws -> String {
        let server = ScriptedTransport([.status(200, headers: type.map { [.contentType: $0] } ?? [:], body: body)])
        var configuration = NetworkConfiguration()
        configuration.decoder = decoder
        let network = Network(baseURL: api, transport: server, configuration: configuration)
        return try await network.send(GetValue<User>()).name
    }

    @Test(arguments: [
        ("application/json", "first"), ("Application/JSON; charset=utf-8", "first"), (nil, "first"),
        ("text/csv", "text"),
        ("text/html", "text"), ("application/vnd.api+json", "suffix"), ("application/problem+xml", "problem"),
    ])
    func `the first entry that matches decodes`(type: String?, expected: String) async throws {
        #expect(try await read(type) == expected)
    }

    @Test(arguments: [
        "application/problem+json", "application/jsonp", "json", "text", "application/json+x", "image/png",
    ])
    func `what no entry matches is not decoded`(type: String) async throws {
        let error = await #expect(throws: NetworkError.self) { try await read(type) }

        #expect(error?.code == .unacceptableContentType)
        #expect(error?.step == .decode)
        #expect(error?.payloadData == Data("x"))
    }

    @Test func `the error says what came`() async throws {
        let problem = await #expect(throws: NetworkError.self) {
            try await read(
                "application/problem+json",
                "{\"title\":\"No\",\"token\":\"canary\"}",
                ContentTypeDecoder.standard
            )
        }
        #expect(
            problem?.explanation == """
                the body is a problem document, application/problem+json, and there are decoders for application/json, \
                text/json, +json, application/x-plist, application/x-apple-binary-plist; it begins \
                {"title":"No","token":<redacted>}
                """
        )
        #expect(problem?.serverMessage == "No")
        let page = await #expect(throws: NetworkError.self) {
            try await read("text/html", "<p>Sign in</p>", ContentTypeDecoder.standard)
        }
        #expect(page?.explanation?.hasPrefix("the body is an HTML page, text/html, and") == true)
        #expect(page?.explanation?.hasSuffix("it begins <p>Sign in</p>") == true)
    }

    @Test(arguments: [
        ("text/html", "<p>", "the body, an HTML page, is not a User"),
        (nil, "\n <!DOCTYPE html><p>", "the body, an HTML page, is not a User"),
        ("application/json", "<HTML>", "the body, an HTML page, is not a User"),
        ("application/problem+json", "{}", "the body, a problem document, is not a User"),
        ("application/json", "{}", "the body is not a User"),
    ])
    func `so does the error of a decoder that goes by no type`(type: String?, body: String, expected: String)
        async throws
    {
        let error = await #expect(throws: NetworkError.self) { try await read(type, body, JSONBodyDecoder()) }

        #expect(error?.code == .decodingFailed)
        #expect(error?.explanation?.hasPrefix(expected) == true)
    }

    @Test func `the standard one reads property lists`() async throws {
        let list = String(decoding: try PropertyListBodyEncoder().encode(User(name: "Ada")), as: UTF8.self)
        #expect(try await read("application/x-plist", list, ContentTypeDecoder.standard) == "Ada")
    }

    @Test func `without a response the first entry decodes`() throws {
        #expect(try Self.decoder.decode(User.self, from: Data("x")).name == "first")
    }
}
