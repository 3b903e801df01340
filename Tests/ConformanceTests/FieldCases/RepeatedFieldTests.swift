import Foundation
import Pipeline
import PipelineTesting
import Testing

/// B23: repeated fields (RFC 9110, sections 5.2 and 5.3).
@Suite(.timeLimit(.minutes(3)))
struct RepeatedFieldTests {
    private static let cookies = ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/", "b=2"]

    private func response() async throws -> NetworkResponse {
        let server = try LoopbackServer()
        server.handle { _ in
            .empty(
                200,
                headers: [
                    "Set-Cookie": Self.cookies[0], "Vary": "Accept", "X-A": "1", "Set-Cookie": Self.cookies[1],
                    "Vary": "Origin", "x-a": "2",
                ]
            )
        }
        return try await Network(transport: URLSessionTransport()).send(NetworkRequest(url: server.url("/")))
    }

    @Test func `Set-Cookie is never joined`() async throws {
        #expect(try await response().headers.values(of: .setCookie) == Self.cookies)
    }

    @Test func `a list keeps all of its members, in order`() async throws {
        let headers = try await response().headers

        #expect(headers[.vary]?.filter { $0 != " " } == "Accept,Origin")
    }

    @Test func `a name is the same in any spelling`() async throws {
        let headers = try await response().headers

        #expect(Set(headers["x-A"]?.filter { $0 != " " }.split(separator: ",") ?? []) == ["1", "2"])
    }

    #if !canImport(Darwin)
        /// Foundation keeps the fields of a response in a dictionary: their order and the lines they came on are gone, and so
        /// are all values but the last of a well-known field that is spelled in two ways. No transport over it can help.
        @Test func `order and lines are lost over URLSession on Linux`() async throws {
            let names = try await response().headers.map { $0.name.spelling.lowercased() }
            #expect(names.filter { $0 == "vary" }.count == 1)
            #expect(!names.starts(with: ["set-cookie", "vary"]))
        }
    #endif
}
