import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct MultipartTests {
    /// What a send makes of a body, before the transport.
    func built(_ body: RequestBody, encoder: (any BodyEncoder)? = nil) async throws -> RequestBody {
        let (network, sent) = Network.recording()
        var request = NetworkRequest(method: .post, url: api, body: body)
        request.encoder = encoder
        _ = try await network.send(request)
        return try #require(sent.request?.body)
    }

    @Test func `writes a form as RFC 7578 has it`() async throws {
        let file = try TemporaryFile(Data("file".utf8))
        let parts: [FormPart] = [
            .field("title", "Zoë"), .field("count", 3), .field("on", true),
            .data("raw", Data([0, 13, 10, 255]), fileName: "a.bin"),
            .file("doc", at: file.url, fileName: "d.txt", contentType: "text/plain"),
            FormPart("log", .stream(length: 2) { OneChunk("ab") }, headers: ["X-Mark": "1"]),
        ]
        let body = RequestBody.multipart(.formData(parts, boundary: "b"))
        var expected = Data()
        for (head, content) in [
            ("name=\"title\"\r\n", Data("Zoë".utf8)), ("name=\"count\"\r\n", Data("3".utf8)),
            ("name=\"on\"\r\n", Data("true".utf8)),
            (
                "name=\"raw\"; filename=\"a.bin\"\r\nContent-Type: application/octet-stream\r\n",
                Data([0, 13, 10, 255])
            ),
            ("name=\"doc\"; filename=\"d.txt\"\r\nContent-Type: text/plain\r\n", Data("file".utf8)),
            ("name=\"log\"\r\nX-Mark: 1\r\nContent-Type: application/octet-stream\r\n", Data("ab".utf8)),
        ] {
            expected += Data("--b\r\nContent-Disposition: form-data; \(head)\r\n".utf8) + content + Data("\r\n".utf8)
        }
        expected += Data("--b--\r\n".utf8)
        #expect(body.contentType == "multipart/form-data; boundary=b")
        #expect(body.length == expected.count)
        #expect(try await body.read() == expected)
    }

    @Test func `writes a form without entries as its last line`() async throws {
        let body = RequestBody.multipart(.formData([], boundary: "b"))
        #expect(try await body.readText() == "--b--\r\n")
        #expect(body.length == 7)
    }

    @Test(arguments: [
        ("a\"b", "a%22b"), ("a\rb", "a%0Db"), ("a\nb", "a%0Ab"), ("a\r\nb", "a%0D%0Ab"), ("a%22b", "a%22b"),
        ("a\\b", "a\\\\b"), ("a\\", "a\\\\"), ("日本;=,", "日本;=,"), ("e\u{301}\"\u{301}", "e\u{301}%22\u{301}"), ("", ""),
        ("a\tb", "a\tb"),
    ])
    func `B28: escapes names and file names as browsers do, and doubles backslashes`(name: String, escaped: String)
        async throws
    {
        let text = try await RequestBody.multipart([.data(name, Data(), fileName: name)]).readText()
        #expect(text.contains("form-data; name=\"\(escaped)\"; filename=\"\(escaped)\"\r\n"))
    }

    @Test(arguments: [
        FormPart("a\u{0}b", .text("x")), FormPart("a", .text("x"), fileName: "a\u{7F}"),
        FormPart("a", .text("x"), headers: ["X-A": "a\r\nX-Evil: 1"]),
        FormPart("a", .text("x", contentType: "a\r\nX: 1")),
    ])
    func `B28: refuses what would break a part's head, and sends nothing`(part: FormPart) async throws {
        let (network, sent) = Network.recording()
        let request = NetworkRequest(method: .post, url: api, body: .multipart([part]))
        let error = await #expect(throws: NetworkError.self) { try await network.send(request) }
        #expect(error?.code == .invalidRequest)
        #expect(sent.request == nil)
        #expect(throws: (any Error).self) { try request.body.makeChunks() }
    }

    @Test func `keeps the disposition that names the entry`() async throws {
        let part = FormPart("a", .text("x", contentType: "a/b"), headers: ["content-disposition": "inline"])
        let text = try await RequestBody.multipart([part]).readText()
        #expect(!text.contains("inline"))
        #expect(text.contains("Content-Disposition: form-data; name=\"a\"\r\nContent-Type: a/b\r\n\r\nx"))
    }

    // MARK: Length, replay, laziness

    @Test func `has no length if a part has none, and cannot be sent again if a part cannot`() async throws {
        let once = RequestBody.multipart([.field("a", 1), FormPart("s", .stream { OneChunk("x") })])
        #expect(once.length == nil)
        #expect(!once.isReplayable)
        #expect(once.canBeSent)
        _ = try await once.read()
        #expect(!once.canBeSent)
        await #expect(throws: NetworkError.self) { try await once.read() }

        let again = RequestBody.multipart([
            .field("a", 1), FormPart("s", .stream(isReplayable: true) { OneChunk("x") }),
        ])
        #expect(again.isReplayable)
        #expect(try await again.read() == again.read())
        #expect(again.canBeSent)
    }

    @Test func `reads each part only when its turn comes, and a file in pieces`() async throws {
        let file = try TemporaryFile(Data(repeating: 7, count: 1_000_000))
        let began = Locked(false)
        let stream = RequestBody.stream {
            began.withLock { $0 = true }
            return OneChunk("x")
        }
        let body = RequestBody.multipart([.file("f", at: file.url), FormPart("s", stream)])
        var chunks = try body.makeChunks()
        var largest = 0
        var total = 0
        while total < 1_000_000, let chunk = try await chunks.next() {
            #expect(!began.withLock { $0 })
            largest = max(largest, chunk.count)
            total += chunk.count
        }
        #expect(largest <= 65_536)
        while try await chunks.next() != nil {}
        #expect(began.withLock { $0 })
    }

    @Test func `a missing file fails before anything is sent`() async throws {
        let (network, sent) = Network.recording()
        let body = RequestBody.multipart([.field("a", 1), .file("f", at: URL(fileURLWithPath: "/nowhere/at.all"))])
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(NetworkRequest(method: .post, url: api, body: body))
        }
        #expect(error?.code == .fileFailed)
        #expect(sent.request == nil)
    }

    @Test func `fails if a file changes its length under way`() async throws {
        let file = try TemporaryFile(Data("four".utf8))
        let body = RequestBody.multipart([.field("a", 1), .file("f", at: file.url)])
        var chunks = try body.makeChunks()
        try Data("longer".utf8).write(to: file.url)
        let error = await #expect(throws: NetworkError.self) { while try await chunks.next() != nil {} }
        #expect(error?.code == .fileFailed)
    }

    // MARK: Boundaries

    /// Gives zeros, then ones.
    struct TwoDraws: RandomNumberGenerator {
        var left = 2
        mutating func next() -> UInt64 {
            left -= 1
            return left >= 0 ? 0 : .max
        }
    }

    @Test func `draws another boundary if one occurs in a content in memory`() {
        let zeros = "pipeline-" + String(repeating: "0", count: 32)
        let ones = "pipeline-" + String(repeating: "f", count: 32)
        let inner = RequestBody.multipart(.formData([], boundary: "x\(zeros)"))
        for (body, expected) in [
            (RequestBody.text("x"), zeros), (.text("a\(zeros)b"), ones), (inner, ones), (.text(zeros), ones),
            (.text("pipeline-00\(zeros)"), ones), (.text("\(zeros)0"), ones), (.text("\(zeros.dropLast())1"), zeros),
            (.text(String(zeros.dropLast())), zeros), (.bytes(Data("x\(zeros)".utf8).dropFirst()), ones),
            (.multipart([.field("a", zeros)]), ones),
        ] {
            var generator = TwoDraws()
            #expect(Boundary(for: [BodyPart(body)], using: &generator).text == expected)
        }
    }

    @Test func `draws a boundary of its own for each body`() {
        let boundaries = (0..<10).map { _ in Multipart.formData([]).boundary }
        #expect(Set(boundaries).count == 10)
        #expect(boundaries.allSatisfy { $0.utf8.count == 41 })
    }

    @Test(arguments: ["", "a\r\nb", "a ", "é", "a\"b", String(repeating: "a", count: 71), "inside"])
    func `refuses a given boundary that the grammar forbids or a content holds`(boundary: String) async throws {
        func body(_ boundary: String) -> RequestBody {
            .multipart(.formData([.field("a", "it is inside")], boundary: boundary))
        }
        let error = await #expect(throws: NetworkError.self) { try await built(body(boundary)) }
        #expect(error?.code == .invalidRequest)
        _ = try await built(body("outside"))
    }

    @Test func `quotes a boundary that is no token`() {
        #expect(Multipart.mixed([], boundary: "a:b c").contentType == "multipart/mixed; boundary=\"a:b c\"")
        #expect(Multipart.mixed([], boundary: "a'+_-.b").contentType == "multipart/mixed; boundary=a'+_-.b")
    }

    // MARK: Values

    @Test func `encodes values at build, with the encoder of the request`() async throws {
        let multipart = Multipart.formData([.value("user", User(name: "Ada")), .field("n", 1)], boundary: "b")
        #expect(RequestBody.multipart(multipart).length == nil)
        let json = try await built(.multipart(multipart))
        let form = try await built(.multipart(multipart), encoder: FormEncoder())
        for (body, type, content) in [
            (json, "application/json", #"{"name":"Ada"}"#), (form, "application/x-www-form-urlencoded", "name=Ada"),
        ] {
            let text = try await body.readText()
            #expect(
                text.hasPrefix("--b\r\nContent-Disposition: form-data; name=\"user\"\r\nContent-Type: \(type)\r\n\r\n")
            )
            #expect(text.contains("\r\n\r\n\(content)\r\n--b\r\n"))
            #expect(body.length == text.utf8.count)
        }
    }

    @Test func `a value that cannot be encoded is an encoding error`() async throws {
        let error = await #expect(throws: NetworkError.self) { try await built(.multipart([.value("n", Double.nan)])) }
        #expect(error?.code == .encodingFailed)
    }

    // MARK: Mixed and related

    @Test func `names the root of related parts`() async throws {
        let parts = [
            BodyPart(.text("x", contentType: "text/plain; charset=utf-8")),
            BodyPart(.json(["a": 1]), headers: ["Content-ID": "<r@x>"]),
        ]
        let first = try await built(.multipart(.related(parts, boundary: "b")))
        #expect(first.contentType == "multipart/related; boundary=b; type=\"text/plain\"")
        let second = try await built(.multipart(.related(parts, start: "<r@x>", boundary: "b")))
        #expect(second.contentType == "multipart/related; boundary=b; type=\"application/json\"; start=\"<r@x>\"")
        #expect(
            try await second.readText()
                == "--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nx\r\n"
                + "--b\r\nContent-ID: <r@x>\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n--b--\r\n"
        )
    }

    @Test func `refuses related parts without their root, and mixed parts without any`() async throws {
        let parts = [BodyPart(.text("x"))]
        for multipart in [.related(parts, start: "<a@b>"), .related([]), .mixed([])] as [Multipart] {
            let error = await #expect(throws: NetworkError.self) { try await built(.multipart(multipart)) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func `holds other multiparts`() async throws {
        let inner = RequestBody.multipart(.mixed([BodyPart(.value(User(name: "Ada")))], boundary: "in"))
        let body = try await built(.multipart(.mixed([BodyPart(inner)], boundary: "out")))
        let text = try await body.readText()
        #expect(text.hasPrefix("--out\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{\"name\":\"Ada\"}\r\n--in--\r\n\r\n--out--\r\n"))
        #expect(body.length == text.utf8.count)
        let clash = Multipart.mixed([BodyPart(inner)], boundary: "in")
        await #expect(throws: NetworkError.self) { try await built(.multipart(clash)) }
    }
}
