import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Another implementation reads what we write: Python's `email`.
@Suite(.timeLimit(.minutes(3)))
struct MultipartPythonTests {
    struct Entry: Decodable, Equatable {
        var name: String?
        var file: String?
        var type: String
        var content: Data
    }

    /// The head is read as UTF-8, since that is what browsers send; `email` by itself takes ASCII.
    static let script = """
        import base64, email.message, email.parser
        root = email.parser.BytesParser().parsebytes(b"Content-Type: " + value.encode() + b"\\r\\n\\r\\n" + data)
        def text(part, parameter):
            raw = dict(part.raw_items()).get("Content-Disposition")
            if raw is None: return None
            head = email.message.Message()
            head["Content-Disposition"] = raw.encode("ascii", "surrogateescape").decode("utf-8")
            return head.get_param(parameter, header="content-disposition")
        def entries(message):
            for part in message.get_payload():
                if part.is_multipart(): yield from entries(part)
                else: yield {
                    "name": text(part, "name"), "file": text(part, "filename"), "type": part.get_content_type(),
                    "content": base64.b64encode(part.get_payload(decode=True)).decode(),
                }
        assert root.is_multipart() and not root.defects, root.defects
        print(json.dumps(list(entries(root))))
        """

    func read(_ body: RequestBody) async throws -> [Entry] {
        try await Python.run(Self.script, telling: try #require(body.contentType), reading: try await body.read())
    }

    static let names = [
        "plain", "with space", "quote\"quote", "semi;colon=equals,comma", "line\nbreak", "both\r\nbreaks",
        "return\rreturn",
        "100%25", "%22", "Zoë", "日本語", "🎉 e\u{301}", "back\\slash", "two\\\\of them", "trailing ",
        " leading", "'single'",
        "../../etc/passwd",
        "a\"; filename=\"evil", "tab\ttab", "--boundary",
    ]

    static let contents: [Data] = [
        Data(), Data("text".utf8), Data("\r\n".utf8), Data("\n\n".utf8), Data("ends with return\r".utf8),
        Data("--\r\n--b--\r\n".utf8), Data((0...255).map(UInt8.init)), Data("Content-Type: text/html\r\n\r\n<b>".utf8),
        Data(repeating: 10, count: 1000), Data("--pipeline".utf8),
        Data("日本".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }),
    ]

    /// As every server undoes it.
    func escaped(_ name: String) -> String {
        name.replacing("\"", with: "%22").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    @Test func `reads the names that we wrote`() async throws {
        let body = RequestBody.multipart(Self.names.map { .data($0, Data($0.utf8), fileName: $0, contentType: "a/b") })
        let entries = try await read(body)
        // Two strings are equal in Swift also where their bytes differ.
        #expect(entries.map { Array(($0.name ?? "").utf8) } == Self.names.map { Array(escaped($0).utf8) })
        #expect(
            entries
                == Self.names.map {
                    Entry(name: escaped($0), file: escaped($0), type: "a/b", content: Data($0.utf8))
                }
        )
    }

    @Test func `reads the contents that we wrote, from memory, files and streams`() async throws {
        let files = try Self.contents.map { try TemporaryFile($0) }
        var parts: [FormPart] = []
        for (content, file) in zip(Self.contents, files) {
            parts.append(.data("memory", content))
            parts.append(.file("file", at: file.url))
            parts.append(FormPart("stream", .stream { AsyncStream(content) }))
            parts.append(FormPart("sized", .stream(length: content.count) { AsyncStream(content) }))
        }
        let entries = try await read(.multipart(parts))
        #expect(entries.map(\.content) == Self.contents.flatMap { [$0, $0, $0, $0] })
        #expect(entries.map(\.name) == Self.contents.flatMap { _ in ["memory", "file", "stream", "sized"] })
        #expect(entries.allSatisfy { $0.type == "application/octet-stream" })
    }

    @Test func `reads fields without a type as text`() async throws {
        let entries = try await read(.multipart([.field("a", "Zoë"), .field("b", 1.5), .field("a", false)]))
        #expect(
            entries == [
                Entry(name: "a", type: "text/plain", content: Data("Zoë".utf8)),
                Entry(name: "b", type: "text/plain", content: Data("1.5".utf8)),
                Entry(name: "a", type: "text/plain", content: Data("false".utf8)),
            ]
        )
    }

    @Test(arguments: ["simple", "a:b c", "'()+_,-./:=?", String(repeating: "x", count: 70)])
    func `reads mixed, related and nested parts, whatever the boundary`(boundary: String) async throws {
        let parts = Self.contents.map { BodyPart(.bytes($0, contentType: "a/b"), headers: ["Content-ID": "<1@x>"]) }
        let inner = BodyPart(.multipart(.formData([.field("n", 1)])))
        let expected = Self.contents.map { Entry(type: "a/b", content: $0) }
        let nested = expected + [Entry(name: "n", type: "text/plain", content: Data("1".utf8))]
        #expect(try await read(.multipart(.mixed(parts + [inner], boundary: boundary))) == nested)
        #expect(try await read(.multipart(.related(parts, start: "<1@x>", boundary: boundary))) == expected)
    }
}

extension AsyncStream<Data> {
    /// A content in two chunks, cut in the middle.
    fileprivate init(_ content: Data) {
        let half = content.count / 2
        self.init { continuation in
            continuation.yield(content.prefix(half))
            continuation.yield(content.suffix(content.count - half))
            continuation.finish()
        }
    }
}
