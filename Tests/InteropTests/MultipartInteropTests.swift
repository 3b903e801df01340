import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Forms that go through real sockets, and are read by parsers that servers use.
///
/// `swift test` leaves the suite out; `Scripts/interop` installs the parsers, runs it, and sees to it that every test ran.
@Suite(
    .enabled(
        if: Parser.python != nil,
        "needs python-multipart and werkzeug: Scripts/interop installs them and runs this"
    ),
    .serialized,
    .timeLimit(.minutes(3))
)
struct MultipartInteropTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.handle { _ in .empty() }
    }

    /// Sends a body and reads what arrived.
    func read(_ body: RequestBody, over kind: TransportKind, with parser: Parser) async throws -> [Parser.Entry] {
        let network = Network(baseURL: server.url("/"), transport: kind.transport)
        _ = try await network.send(.post("form").body(body))
        let request = try #require(server.requests.last)
        let type = try #require(request.first(of: "Content-Type"))
        return try await parser.read(request.body, contentType: type)
    }

    static let names = [
        "plain", "with space", "semi;colon=equals,comma", "Zoë", "e\u{301}", "日本語", "🎉", "\u{202E}evil.txt", "",
        "back\\slash", "two\\\\of them", "100%25", "100%", "trailing ", " leading",
        "'single'",
        "../../etc/passwd", "tab\ttab", "--boundary", "name=", "filename*=UTF-8''x", "line\nbreak", "return\rreturn",
        "both\r\nbreaks", "x\r\n\r\n<b>", "quote\"quote", "a\"; filename=\"evil", "\\\"",
    ]

    /// Quotation marks and line breaks come escaped as browsers do it, which the application would have to undo.
    func escaped(_ name: String) -> String {
        name.replacing("\"", with: "%22").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    @Test(arguments: TransportKind.allCases, Parser.allCases)
    func `names and file names are read as they were given`(kind: TransportKind, parser: Parser) async throws {
        let parts = Self.names.flatMap { name in
            [FormPart.data(name, Data("a".utf8), fileName: name), .field(name, "b")]
        }
        let entries = try await read(.multipart(parts), over: kind, with: parser)
        let expected = Self.names.flatMap { name -> [Parser.Entry] in
            // werkzeug undoes the escape of the quotation mark, and no other.
            let read = parser == .werkzeug ? escaped(name).replacing("%22", with: "\"") : escaped(name)
            return [
                Parser.Entry(
                    name: read,
                    file: parser == .pythonMultipart ? Self.withoutShare(read) : read,
                    content: Data("a".utf8)
                ),
                Parser.Entry(name: read, content: Data("b".utf8)),
            ]
        }
        for (entry, expected) in zip(entries, expected) { #expect(entry == expected) }
        #expect(entries.count == expected.count)
    }

    /// The two others ask Python's `email`, which takes a quotation mark behind any backslash for one that is escaped, also if
    /// that backslash is itself.
    @Test(arguments: TransportKind.allCases)
    func `a backslash at the end of a name takes nothing else with it`(kind: TransportKind) async throws {
        let names = ["ends in\\", "\\", "a\\b\\", "two\\\\"]
        let parts = names.map { FormPart.data($0, Data("a".utf8), fileName: $0) }
        let entries = try await read(.multipart(parts), over: kind, with: .werkzeug)
        #expect(entries == names.map { Parser.Entry(name: $0, file: $0, content: Data("a".utf8)) })
    }

    /// python-multipart takes two backslashes at the beginning for a path, as old browsers sent it, and keeps its last part.
    private static func withoutShare(_ name: String) -> String {
        name.hasPrefix("\\\\") ? String(name.split(separator: "\\", omittingEmptySubsequences: false).last ?? "") : name
    }

    static let contents: [Data] = [
        Data(), Data("text".utf8), Data("\r\n".utf8), Data("\n".utf8), Data("\r".utf8), Data("ends with return\r".utf8),
        Data("\r\nbegins and ends with breaks\r\n\r\n".utf8), Data("--".utf8), Data("\r\n--".utf8),
        Data("\r\n--b0undar".utf8), Data("--b0undar\r\n\r\n--b0undar--\r\n".utf8), Data("\r\n--b0undarx--".utf8),
        Data("Content-Disposition: form-data; name=\"x\"\r\n\r\n".utf8), Data((0...255).map(UInt8.init)),
        Data(repeating: 0x0D, count: 1000), Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }),
    ]

    @Test(arguments: TransportKind.allCases, Parser.allCases)
    func `contents are read byte by byte as they were given`(kind: TransportKind, parser: Parser) async throws {
        let parts = Self.contents.enumerated().map { FormPart.data("\($0)", $1, fileName: "f") }
        let entries = try await read(.multipart(.formData(parts, boundary: "b0undary")), over: kind, with: parser)
        #expect(entries.map(\.name) == Self.contents.indices.map(String.init))
        #expect(entries.map(\.content.count) == Self.contents.map(\.count))
        #expect(entries.map(\.content) == Self.contents)
    }

    @Test(arguments: TransportKind.allCases, Parser.allCases)
    func `contents of streams without a length are read as they were given`(kind: TransportKind, parser: Parser)
        async throws
    {
        let parts = Self.contents.enumerated().map { place, content in
            FormPart("\(place)", .stream { AsyncStream(content) }, fileName: "f")
        }
        let entries = try await read(.multipart(parts), over: kind, with: parser)
        #expect(entries.map(\.content.count) == Self.contents.map(\.count))
        #expect(entries.map(\.content) == Self.contents)
    }

    @Test(arguments: ["simple", "a:b c", "'()+_,-./:=?", String(repeating: "x", count: 70)], Parser.allCases)
    func `boundaries of all kinds are found`(boundary: String, parser: Parser) async throws {
        let body = RequestBody.multipart(.formData([.field("a", "1"), .field("b", "2")], boundary: boundary))
        let entries = try await read(body, over: .standard, with: parser)
        #expect(entries.map(\.name) == ["a", "b"])
        #expect(entries.map(\.content) == [Data("1".utf8), Data("2".utf8)])
    }

    @Test(arguments: TransportKind.allCases, Parser.allCases)
    func `fields of a form are read as they were given`(kind: TransportKind, parser: Parser) async throws {
        let texts =
            Self.names.filter { !$0.isEmpty } + ["1+1 = 2&x/y?z;#%", "[]{}|\\^`", "!*'()", "\u{7F}", "\u{FEFF}x"]
        var query = Query()
        for text in texts { query.append(text, text) }
        let entries = try await read(.form(query), over: kind, with: parser)
        #expect(entries == texts.map { Parser.Entry(name: $0, content: Data($0.utf8)) })
    }
}

extension AsyncStream<Data> {
    /// A content in chunks of some length.
    fileprivate init(_ content: Data) {
        self.init { continuation in
            var rest = content
            while !rest.isEmpty {
                continuation.yield(rest.prefix(70_001))
                rest = rest.dropFirst(70_001)
            }
            continuation.finish()
        }
    }
}
