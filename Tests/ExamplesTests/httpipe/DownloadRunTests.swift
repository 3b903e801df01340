import Foundation
import PipelineTesting
import Testing

/// Downloads by `httpipe` and by the `Downloader`, from end to end.
@Suite(.timeLimit(.minutes(3)))
struct DownloadRunTests {
    let server: LoopbackServer
    let scratch: Scratch
    let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })

    init() throws {
        server = try LoopbackServer()
        scratch = try Scratch()
    }

    private func address(_ path: String) -> String { "127.0.0.1:\(server.port)\(path)" }

    /// A file whose first answer ends in the middle, for those who cannot ask for the rest in the same run.
    private func serveFile(at path: String) {
        server.handle("GET", path) { [content] request in
            guard let range = request.first(of: "Range"), let start = Int(range.dropFirst("bytes=".count).dropLast())
            else {
                let head = LoopbackStep.head(200, headers: ["Content-Length": "\(content.count)", "ETag": "\"a\""])
                return [head, .bytes(content.prefix(100_000)), .close]
            }
            let rest = content[start...]
            return [
                .head(
                    206,
                    headers: [
                        "Content-Length": "\(rest.count)", "ETag": "\"a\"",
                        "Content-Range": "bytes \(start)-\(content.count - 1)/\(content.count)",
                    ]
                ),
                .bytes(rest),
            ]
        }
    }

    @Test func `goes on with what an earlier run has left`() async throws {
        serveFile(at: "/file.bin")
        let target = scratch["mine"]
        let arguments = [address("/file.bin"), "--download", target.path, "--resume", "--progress"]
        let first = try await Program(arguments).end()
        #expect(first.errors.hasPrefix("error: truncated: "))
        #expect(!scratch.names.contains("mine"))

        let second = try await Program(arguments).end()
        #expect(second.errors == "\(target.path)\n")
        #expect(second.status == 0)
        #expect(try Data(contentsOf: target) == content)
        #expect(scratch.names == ["mine"])
        #expect(server.requests.map { $0.first(of: "Range") } == [nil, "bytes=99999-"])
    }

    @Test func `leaves nothing behind without the option to go on`() async throws {
        serveFile(at: "/file.bin")
        let run = try await Program.run(address("/file.bin"), "--download", scratch.folder.path)
        #expect(run.errors.hasPrefix("error: truncated: "))
        #expect(scratch.names == [])
    }

    @Test func `takes the name that the server gives, in a folder`() async throws {
        server.handle("GET", "/") { _ in
            .status(200, headers: ["Content-Disposition": "attachment; filename=\"../a.txt\""], body: "hi")
        }
        let run = try await Program.run(address("/"), "--download", scratch.folder.path)
        #expect(run.status == 0)
        #expect(scratch.names == ["a.txt"])
    }

    @Test func `an error leaves the file alone and is printed`() async throws {
        server.handle("GET", "/") { _ in .status(404, body: "none") }
        let target = scratch["mine"]
        try Data("old".utf8).write(to: target)
        let run = try await Program.run(address("/"), "--download", target.path)
        #expect(run.text == "none")
        #expect(run.status == 4)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
    }

    @Test func `several files at once, each with as many tries as it takes`() async throws {
        serveFile(at: "/a.bin")
        serveFile(at: "/b.bin")
        server.handle("GET", "/c.bin") { _ in .status(404, body: "none") }
        let urls = ["/a.bin", "/b.bin", "/c.bin"].map { "http://" + address($0) }
        let first = try await Program([scratch.folder.path] + urls, of: "Downloader").end()
        #expect(first.status == 1)
        #expect(first.text.contains("c.bin  unacceptable-status"))
        #expect(scratch.names == ["a.bin", "b.bin"])
        for name in scratch.names { #expect(try Data(contentsOf: scratch[name]) == content) }

        let again = try await Program([scratch.folder.path] + urls.dropLast(), of: "Downloader").end()
        #expect(again.status == 0)
        #expect(
            again.text.split(separator: "\n").sorted() == [
                "a.bin  [####################] is there already", "b.bin  [####################] is there already",
            ]
        )
    }

    @Test(arguments: [["/"], ["/a/x.bin", "/b/x.bin"], ["/.."]])
    func `refuses URLs that give no name, or the same to two files`(paths: [String]) async throws {
        let urls = paths.map { "http://" + address($0) }
        let run = try await Program([scratch.folder.path] + urls, of: "Downloader").end()
        #expect(run.status == 2)
        #expect(run.text.hasPrefix("error: "))
        #expect(server.requests.isEmpty)
    }
}
