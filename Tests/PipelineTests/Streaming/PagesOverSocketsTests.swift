import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Pages through real connections.
@Suite(.timeLimit(.minutes(3)))
struct PagesOverSocketsTests {
    @Test(arguments: TransportKind.allCases)
    func `a list that goes on at another server gives it no credentials`(kind: TransportKind) async throws {
        let (first, second) = (try LoopbackServer(), try LoopbackServer())
        defer {
            first.stop()
            second.stop()
        }
        let other = second.url("/numbers").absoluteString
        first.handle("GET", "/numbers") { request in
            request.query == nil
                ? .json("[1]", headers: ["Link": "<?after=1>; rel=\"next\""])
                : .json("[2]", headers: ["Link": "</gone>; rel=\"prev\"", "Link": "<\(other)>; rel=next"])
        }
        second.handle("GET", "/numbers") { _ in .json("[3]") }
        struct ListNumbers: Request {
            typealias Response = [Int]
            func buildRequest(with baseURL: URL) throws -> NetworkRequest {
                NetworkRequest(url: try baseURL.joining("numbers"), headers: [.authorization: "Bearer secret"])
            }
        }
        let pages = Network(baseURL: first.url, transport: kind.transport).pages(of: ListNumbers(), by: .link())

        #expect(try await pages.reduce(into: []) { $0 += $1.value } == [1, 2, 3])
        #expect(first.requests.map { $0.first(of: "Authorization") } == ["Bearer secret", "Bearer secret"])
        #expect(second.requests.map { $0.first(of: "Authorization") } == [nil])
    }
}
