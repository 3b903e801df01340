import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// B24: each name and value is encoded once, so that every server reads the same.
@Suite(.timeLimit(.minutes(3)))
struct QueryTests {
    private static let items: [(name: String, value: String)] = [
        ("sum", "1+1 = 2&x/y?z;#%"), ("a+b", "plus"), ("space", " a b "), ("done", "%41%2B"), ("empty", ""),
        ("quote", "'\"`<>"), ("brackets[0]", "[b c]"), ("ünï", "Zoë 🙂"), ("json", #"{"a":[1,2]}"#),
        ("line", "a\r\nb\0"),
        ("path", "../../etc"), ("tilde", "-._~"), ("equals", "a=b=c"),
    ]

    private static let query = items.reduce(into: Query()) { $0.append($1.name, $1.value) }

    private func target(of url: (URL) throws -> URL) async throws -> String {
        let server = try LoopbackServer()
        server.handle { _ in .text("ok") }
        _ = try await Network(transport: URLSessionTransport()).send(NetworkRequest(url: try url(server.url("/q"))))
        return try #require(server.requests.first).target
    }

    @Test(arguments: items)
    func `the request line holds a value encoded once`(name: String, value: String) async throws {
        let target = try await target { $0.appending(query: [name: value]) }
        let bytes = (name.utf8.map(\.self), value.utf8.map(\.self))

        #expect(target == "/q?\(Self.encoded(bytes.0))=\(Self.encoded(bytes.1))")
    }

    /// The rule, written a second time: only unreserved characters stay (RFC 3986, section 2.3).
    private static func encoded(_ bytes: [UInt8]) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return unreserved.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    @Test(arguments: ["?a=%5Bb%20c", "?a=b%2Bc&d", "?x=1/2?3", "?e=&f=="])
    func `what a URL holds already goes out as it is`(query: String) async throws {
        let target = try await target {
            try #require(URL(string: $0.absoluteString + query)).appending(query: ["z": "1 2"])
        }
        #expect(target == "/q\(query)&z=1%202")
    }

    #if os(Linux) || os(macOS)
        /// A decoder that takes `+` for a space and one that does not, neither of them ours.
        @Test(arguments: [
            "parse_qsl(query, keep_blank_values=True)", "[tuple(map(unquote, i.split('='))) for i in query.split('&')]",
        ])
        func `Python reads the same`(decoder: String) async throws {
            let target = try await target { $0.appending(query: Self.query) }
            let script = """
                import json, sys
                from urllib.parse import parse_qsl, unquote
                query = sys.argv[1].split('?', 1)[1]
                print(json.dumps(\(decoder)))
                """
            let read = try JSONDecoder().decode([[String]].self, from: try await Python.output(of: script, target))

            #expect(read == Self.items.map { [$0.name, $0.value] })
        }
    #endif
}

#if os(Linux) || os(macOS)
    private enum Python {
        static func output(of script: String, _ argument: String) async throws -> Data {
            let pipe = Pipe()
            let process = try ChildProcess(["python3", "-c", script, argument], output: pipe.fileHandleForWriting)
            try pipe.fileHandleForWriting.close()
            let output = await pipe.fileHandleForReading.allBytes()
            try #require(await process.end() == 0)
            return output
        }
    }
#endif
