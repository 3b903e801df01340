import Foundation
import PipelineActions
import PipelineTesting
import Testing

struct AccessTokenTests {
    func decode(_ json: String, _ strategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys) throws -> AccessToken {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = strategy
        return try decoder.decode(AccessToken.self, from: Data(json.utf8))
    }

    /// RFC 6749, section 5.1, in the spellings of the field.
    @Test(arguments: [
        (#"{"access_token":"a"}"#, AccessToken("a")),
        (#"{"access_token":"a","token_type":"bearer","more":[1]}"#, AccessToken("a")),
        (#"{"access_token":"a","token_type":"BEARER"}"#, AccessToken("a")),
        (#"{"access_token":"a","token_type":"DPoP"}"#, AccessToken("a", type: "DPoP")),
        (
            #"{"access_token":"a","expires_in":3600,"refresh_token":"r","scope":"read write"}"#,
            AccessToken("a", refreshToken: "r", expiresIn: .seconds(3600), scope: "read write")
        ),
        (#"{"access_token":"a","expires_in":"3600"}"#, AccessToken("a", expiresIn: .seconds(3600))),
        (#"{"access_token":"a","expires_in":59.5}"#, AccessToken("a", expiresIn: .milliseconds(59_500))),
        (#"{"access_token":"a","expires_in":-5}"#, AccessToken("a", expiresIn: .zero)),
        (#"{"access_token":"a","expires_in":null,"refresh_token":null}"#, AccessToken("a")),
        (#"{"access_token":"a","expires_in":1e300}"#, AccessToken("a", expiresIn: .seconds(20 * 366 * 86_400))),
        (#"{"access_token":"a","expires_at":100}"#, AccessToken("a", expiresAt: Date(timeIntervalSince1970: 100))),
        (#"{"access_token":"a","expires_in":9,"expires_at":100}"#, AccessToken("a", expiresIn: .seconds(9))),
    ])
    func `reads the answer of a token endpoint`(json: String, expected: AccessToken) throws {
        #expect(try decode(json) == expected)
        #expect(try decode(json, .convertFromSnakeCase) == expected)
    }

    @Test(arguments: [
        "{}", #"{"access_token":""}"#, #"{"access_token":7}"#, #"{"error":"invalid_grant"}"#, "[]",
        #"{"access_token":"a","expires_in":"soon"}"#, #"{"access_token":"a","expires_in":"nan"}"#,
    ])
    func `takes nothing else for a token`(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }

    @Test(arguments: [
        AccessToken("a"),
        AccessToken("a", type: "DPoP", refreshToken: "r", expiresIn: .seconds(3600), scope: "s"),
        AccessToken("a", expiresAt: Date(timeIntervalSince1970: 1_000_000_000)),
    ])
    func `what it writes it reads`(token: AccessToken) throws {
        #expect(try JSONDecoder().decode(AccessToken.self, from: JSONEncoder().encode(token)) == token)
    }

    @Test func `the life of a token counts from its receipt`() async throws {
        let stage = AuthenticationStage(nil)
        let received = stage.clock.date
        try await stage.tokens.set(AccessToken("a", expiresIn: .seconds(3600)))
        stage.clock.advance(by: .seconds(100))

        let token = try #require(try await stage.tokens.token())
        #expect(token.expiresAt == received.addingTimeInterval(3600))
        let restored = try JSONDecoder().decode(AccessToken.self, from: JSONEncoder().encode(token))
        #expect(restored.expiresAt == token.expiresAt)
    }

    @Test func `shows neither token`() {
        let token = AccessToken("canary", refreshToken: "canary", expiresIn: .seconds(1), scope: "canary")
        var dumped = ""
        dump([token], to: &dumped)
        let shown = "\(token) \(String(reflecting: token)) \(token.debugDescription) \([token]) \(dumped)"

        #expect(!shown.contains("canary"))
        #expect(token.description == "AccessToken(Bearer <redacted>, refreshable)")
    }
}
