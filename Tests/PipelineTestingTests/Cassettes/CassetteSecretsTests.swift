import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// S2 and S7: what must not be in a cassette is not.
@Suite(.timeLimit(.minutes(3)))
struct CassetteSecretsTests {
    private static let secret = "hunter2-canary"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Sends a request to a server that answers like this, and returns the text of the cassette.
    private func recorded(_ request: NetworkRequest, _ response: StubResponse = .status(200)) async throws -> String {
        let file = folder.file("a.json")
        let recorder = RecordingTransport(around: StubTransport([.otherwise.respond(response)]), to: file)
        let answer = try await Network(transport: recorder).stream(request)
        _ = try await answer.body.collect()
        try recorder.save()
        return try String(contentsOf: file, encoding: .utf8)
    }

    private static let url = URL(string: "https://api.test/a")!

    private static func utf16(_ text: String) -> Data { text.data(using: .utf16) ?? Data() }

    @Test func `a secret of a request is not on the cassette, and all else is`() async throws {
        let secret = Self.secret
        var marked: HTTPHeaders = ["X-Plain": "kept"]
        marked.setSensitive(secret, for: "X-Own")
        let requests: [NetworkRequest] = [
            NetworkRequest(url: URL(string: "https://user:\(secret)@api.test/a?access_token=\(secret)&note=kept")!),
            NetworkRequest(url: Self.url, headers: ["Authorization": "Bearer \(secret)", "X-Plain": "kept"]),
            NetworkRequest(url: Self.url, headers: ["Cookie": "sid=\(secret)", "X-Plain": "kept"]),
            NetworkRequest(url: Self.url, headers: ["X-Api-Key": secret, "X-Plain": "kept"]),
            NetworkRequest(url: Self.url, headers: marked),
            NetworkRequest(
                method: .post,
                url: Self.url,
                body: .json(["user": ["password": .string(secret)], "note": "kept"])
            ),
            NetworkRequest(
                method: .post,
                url: Self.url,
                body: .text("note=kept&client_secret=\(secret)", contentType: "application/x-www-form-urlencoded")
            ),
            NetworkRequest(
                method: .post,
                url: Self.url,
                body: .bytes(Data(#"{"note": "kept", "password": "\#(secret)"}"#.utf8), contentType: "image/png")
            ),
            NetworkRequest(method: .post, url: Self.url, body: .text("note: kept, password: \(secret)")),
        ]
        for request in requests {
            let text = try await recorded(request)
            #expect(text.contains("kept"))
            #expect(text.contains("<redacted>"))
            #expect(!text.contains(secret), "in \(text)")
        }
    }

    @Test func `what secrets cannot be found in is not kept`() async throws {
        let secret = Self.secret
        let parts = RequestBody.multipart([.field("password", secret)])
        let gzip = Data([0x1F, 0x8B]) + Data(secret.utf8)
        let requests = [
            NetworkRequest(method: .post, url: Self.url, body: parts),
            NetworkRequest(
                method: .post,
                url: Self.url,
                headers: ["Content-Type": "multipart/form-data; boundary=x"],
                body: .bytes(Data("--x\r\n\r\n\(secret)\r\n--x--".utf8))
            ),
            NetworkRequest(method: .post, url: Self.url, headers: ["Content-Encoding": "gzip"], body: .bytes(gzip)),
        ]
        for request in requests {
            let text = try await recorded(request)
            #expect(text.contains("\"omitted\" : true"))
            #expect(!text.contains(secret))
            #expect(!text.contains(gzip.base64EncodedString()))
        }
    }

    @Test func `a secret of a response is not on the cassette, in any charset`() async throws {
        let secret = Self.secret
        let json = #"{"note": "kept", "access_token": "\#(secret)"}"#
        let latin = Data(
            #"{"note": "\#u{E9} kept", "access_token": "\#(secret)"}"#.unicodeScalars.map { UInt8($0.value) }
        )
        let responses: [StubResponse] = [
            .json(text: json, headers: ["Set-Cookie": "sid=\(secret); Path=/", "Location": "/cb?code=\(secret)"]),
            .chunks([Data(json.prefix(50).utf8), Data(json.dropFirst(50).utf8)]),
            .data(latin, contentType: "application/json; charset=iso-8859-1"),
            .data(Self.utf16(json), contentType: "application/json; charset=utf-16"),
            .data(Self.utf16(json), contentType: "application/octet-stream"),
        ]
        for response in responses {
            let text = try await recorded(NetworkRequest(url: Self.url), response)
            #expect(!text.contains(secret), "in \(text)")
            let body = try #require(try Cassette(contentsOf: folder.file("a.json")).exchanges[0].response?.body)
            guard case .bytes(let data) = body else {
                #expect(text.contains("kept"))
                continue
            }
            for encoding in [String.Encoding.isoLatin1, .utf16] {
                #expect(String(data: data, encoding: encoding)?.contains(secret) != true)
            }
            let seen = data.first == 0xFF || data.first == 0xFE ? String.Encoding.utf16 : .isoLatin1
            #expect(String(data: data, encoding: seen)?.contains("kept") == true)
        }
    }
}
