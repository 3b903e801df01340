import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Downloads over real connections.
@Suite(.timeLimit(.minutes(3)))
struct DownloadSocketTests {
    enum Kind: CaseIterable {
        #if canImport(Glibc)
            case curl
        #endif
        case urlSession

        func makeTransport() -> any Transport {
            switch self {
            #if canImport(Glibc)
                case .curl: CurlTransport()
            #endif
            case .urlSession: URLSessionTransport()
            }
        }
    }

    let folder: DownloadFolder
    let server: LoopbackServer
    /// 3 MiB.
    let content: Data

    init() throws {
        folder = try DownloadFolder()
        server = try LoopbackServer()
        content = Data(pages: (3 << 20) / Data.page)
    }

    /// What is asked for, cut off after so many bytes.
    static func reply(to request: LoopbackRequest, _ content: Data, upTo end: Int, _ ending: LoopbackStep)
        -> LoopbackReply
    {
        let start = request.first(of: "Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        let body = content[(start ?? 0)..<max(end, start ?? 0)]
        let length = "\(content.count - (start ?? 0))"
        guard let start else {
            return [.head(200, headers: ["Content-Length": length, "ETag": "\"a\""]), .bytes(body), ending]
        }
        let range = "bytes \(start)-\(content.count - 1)/\(content.count)"
        let head = LoopbackStep.head(206, headers: ["Content-Length": length, "Content-Range": range, "ETag": "\"a\""])
        return [head, .bytes(body), ending]
    }

    @Test(arguments: Kind.allCases)
    func `goes on after each break-off, in one send`(kind: Kind) async throws {
        let turn = Locked(0)
        server.handle("GET", "/file") { [content] request in
            switch turn.withLock({ turn in
                turn += 1
                return turn
            }) {
            case 1: Self.reply(to: request, content, upTo: 1 << 20, .close)
            case 2: Self.reply(to: request, content, upTo: 2 << 20, .reset)
            default: Self.reply(to: request, content, upTo: content.count, .keepOpen)
            }
        }
        let retrying = HookAction.retrying { outcome, _ in ["truncated", "connection-lost"].contains(outcome.summary) }
        let network = Network(actions: [retrying], transport: kind.makeTransport())
        let file = try await network.download(server.url("/file"), to: folder["file"])

        #expect(try Data(contentsOf: folder["file"]) == content)
        #expect(file.size == content.count)
        #expect(file.resumedAt > 0)
        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0.first(of: "Accept-Encoding") == "identity" })
        #expect(folder.names == ["file"])
    }

    @Test(arguments: Kind.allCases)
    func `a compressed response is decoded, and neither compared nor gone on with`(kind: Kind) async throws {
        let compressed = try #require(Data(base64Encoded: "H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA=="))
        server.handle("GET", "/file") { _ in
            .status(
                200,
                headers: ["Content-Encoding": "gzip", "ETag": "\"a\"", "Repr-Digest": "sha-256=:AA==:"],
                body: compressed
            )
        }
        let request = NetworkRequest(url: server.url("/file"), headers: ["Accept-Encoding": "gzip"])
        let network = Network(transport: kind.makeTransport())
        let file = try await network.download(request, to: folder["file"])

        #expect(folder.text("file") == "hello")
        #expect(file.size == 5)
    }

    @Test(arguments: Kind.allCases)
    func `a redirect is followed, and names the file`(kind: Kind) async throws {
        server.handle("GET", "/file") { _ in .redirect(to: "/files/%e2%82%ac.txt") }
        server.handle("GET", "/files/*") { _ in .text("euro") }
        let network = Network(transport: kind.makeTransport())
        let file = try await network.download(server.url("/file"), to: folder.url)

        #expect(file.url == folder["€.txt"])
        #expect(folder.text("€.txt") == "euro")
    }
}
