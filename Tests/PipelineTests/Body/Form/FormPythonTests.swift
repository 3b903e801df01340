import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Another implementation reads what we write: Python's `urllib.parse`.
@Suite(.timeLimit(.minutes(3)))
struct FormPythonTests {
    static let script = """
        import urllib.parse
        print(json.dumps(urllib.parse.parse_qsl(
            data.decode("ascii"), keep_blank_values=True, strict_parsing=True, errors="strict")))
        """

    /// The bytes of names and values: two strings are equal in Swift also where their bytes differ.
    func bytes(_ pairs: [[String]]) -> [[[UInt8]]] { pairs.map { $0.map { Array($0.utf8) } } }

    func read(_ body: RequestBody) async throws -> [[String]] {
        let (network, sent) = Network.recording()
        _ = try await network.send(.post("x").body(body))
        return try await Python.run(Self.script, reading: try #require(sent.request?.body.data))
    }

    static let texts = [
        "plain", "1+1 = 2&x/y?z;#%", "a+b", "b%20c", "", "é", "e\u{301}", "日本", "🎉", "[]{}|\\^`", "!*'()", ";:@&=+$,/?",
        "\r\n\t\u{0}", "\"<>", "\u{7F}", " ", "=", "&", "%2B", "\u{FEFF}x", "a[b]", "a.b",
    ]

    @Test func `B24: reads the names and values that we wrote, in order`() async throws {
        var query = Query()
        for text in Self.texts { query.append(text, text) }
        #expect(bytes(try await read(.form(query))) == bytes(Self.texts.map { [$0, $0] }))
    }

    @Test func `B24: reads the fields of values`() async throws {
        let fields = Dictionary(uniqueKeysWithValues: Self.texts.enumerated().map { (String(format: "%02d", $0), $1) })
        let expected = Self.texts.enumerated().map { [String(format: "%02d", $0), $1] }
        #expect(bytes(try await read(.form(encoding: fields))) == bytes(expected))
        let list = try await read(.form(encoding: ["k": Self.texts], with: FormEncoder(arrays: .indices)))
        #expect(list == Self.texts.enumerated().map { ["k[\($0)]", $1] })
        for text in Self.texts {
            #expect(try await read(.form(encoding: [text: ["x": 1]])) == [["\(text)[x]", "1"]])
        }
    }

    @Test func `B24: reads mixed literals`() async throws {
        let pairs = try await read(
            .form(
                nested: [
                    "a b": [1, true, "x&y", nil], "user": ["näme": "Zoë+", "deep": ["er": 0.5]], "a b": "again",
                ],
                with: FormEncoder(arrays: .brackets)
            )
        )
        #expect(
            pairs == [
                ["a b[]", "1"], ["a b[]", "true"], ["a b[]", "x&y"], ["user[deep][er]", "0.5"], ["user[näme]", "Zoë+"],
                ["a b", "again"],
            ]
        )
    }
}
