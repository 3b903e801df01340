import Foundation
import Pipeline
import PipelineTesting
import Testing

/// Text in the charset it comes in: a byte order mark, the parameter, UTF-8.
@Suite(.timeLimit(.minutes(3)))
struct CharsetTests {
    struct AskText: Request {
        typealias Response = String
        func buildRequest(with baseURL: URL) -> NetworkRequest { NetworkRequest(url: baseURL) }
    }

    func read<R: Request>(_ request: R, _ type: String?, _ body: [UInt8]) async throws -> R.Response {
        let server = ScriptedTransport { request in
            NetworkResponse(
                status: 200,
                headers: type.map { [.contentType: $0] } ?? [:],
                body: .bytes(Data(body)),
                request: request
            )
        }
        return try await Network(baseURL: api, transport: server).send(request)
    }

    @Test(
        arguments: [
            // Nobody says
            (nil, [0xC3, 0xA9], "é"), ("text/plain", [0xC3, 0xA9], "é"), ("text/plain; charset", [0xC3, 0xA9], "é"),
            ("text/plain; charset=", [0xC3, 0xA9], "é"),
            // The parameter
            ("text/plain; charset=iso-8859-1", [0xE9], "é"), ("text/plain;CHARSET=ISO-8859-1;x=y", [0xE9], "é"),
            ("text/plain; x=\"; charset=utf-8\"; charset=\"latin1\"", [0xE9], "é"),
            ("text/plain; charset = windows-1252", [0x80], "€"), ("text/plain; charset='windows-1252'", [0x80], "€"),
            ("text/plain; charset=windows-1251", [0xE9], "й"), ("text/plain; charset=utf-16be", [0x20, 0xAC], "€"),
            ("text/plain; charset=utf-16le", [0xAC, 0x20], "€"), ("text/plain; charset=us-ascii", [0xC3, 0xA9], "é"),
            ("text/plain; charset=Shift_JIS", [0x82, 0xA0], "あ"),
            // A mark wins, and is no part of the text
            (nil, [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"), (nil, [0xEF, 0xBB, 0xBF], ""),
            (nil, [0xFF, 0xFE, 0xAC, 0x20], "€"),
            ("text/plain; charset=utf-8", [0xFE, 0xFF, 0x20, 0xAC], "€"),
            ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0xAC, 0x20], "€"),
            // What is not known is read as UTF-8
            ("text/plain; charset=x-klingon", [0xC3, 0xA9], "é"),
        ] as [(String?, [UInt8], String)]
    )
    func `reads text`(type: String?, body: [UInt8], expected: String) async throws {
        let text = try await read(AskText(), type, body)
        #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(
        arguments: [
            (nil, [0xE9], "utf-8"), ("text/plain; charset=x-klingon", [0xE9], "x-klingon, read as utf-8"),
            ("text/plain; charset=utf-16le", [0xAC, 0x20, 0x41], "utf-16le"), (nil, [0xFF, 0xFE, 0x41], "utf-8"),
        ] as [(String?, [UInt8], String)]
    )
    func `says in which charset a body is no text`(type: String?, body: [UInt8], name: String) async {
        let error = await #expect(throws: NetworkError.self) { try await read(AskText(), type, body) }

        #expect(error?.code == .decodingFailed)
        #expect(error?.explanation == "the body is not text in \(name)")
    }

    @Test func `JSON may have a byte order mark`() async throws {
        let json = Data("{\"name\":\"é\"}")
        #expect(try await read(GetValue<User>(), "application/json", [0xEF, 0xBB, 0xBF] + json).name == "é")
        let wide = try #require("{\"name\":\"é\"}".data(using: .utf16LittleEndian))
        #expect(try await read(GetValue<User>(), "application/json", [0xFF, 0xFE] + wide).name == "é")
    }
}
