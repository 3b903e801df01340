import Foundation
import Pipeline
import PipelineTesting
import Testing

/// What else can stand where a part of a download would.
@Suite(.timeLimit(.minutes(3)))
struct PartialFileTests {
    let server = ConversationTransport()
    let folder: DownloadFolder
    let victim: DownloadFolder
    let network: Network
    let url = api.appendingPathComponent("report")

    init() throws {
        folder = try DownloadFolder()
        victim = try DownloadFolder()
        network = Network(transport: server)
        try victim.write("precious", to: "file")
    }

    /// The name that the part has, found out by having one made.
    func partName() async throws -> String {
        async let broken = network.result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().breakOff(after: "01234")
        _ = await broken
        let name = try #require(folder.names.first { $0.hasSuffix(".partial") })
        try FileManager.default.removeItem(at: folder[name])
        return name
    }

    @Test func `a link is refused, not followed`() async throws {
        let part = try await partName()
        try FileManager.default.createSymbolicLink(at: folder[part], withDestinationURL: victim["file"])
        let error = await network.result(of: Download(NetworkRequest(url: url), to: folder["report"])).error

        #expect(error?.code == .fileFailed)
        #expect(error?.reach == .no)
        #expect(server.pendingExchanges == 0)
        #expect(victim.text("file") == "precious")
    }

    @Test(arguments: [true, false])
    func `a note that is a second name of another file, or a link to it, is replaced`(isLink: Bool) async throws {
        let note = folder["\(try await partName()).json"]
        try FileManager.default.removeItem(at: note)
        if isLink {
            try FileManager.default.createSymbolicLink(at: note, withDestinationURL: victim["file"])
        } else {
            try FileManager.default.linkItem(at: victim["file"], to: note)
        }
        async let broken = network.result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().breakOff(after: "01234")

        #expect(await broken.error?.code == .truncated)
        #expect(folder.part == "01234")
        #expect(victim.text("file") == "precious")
    }

    @Test func `a second name of another file is taken away, and the file is left`() async throws {
        let part = try await partName()
        try FileManager.default.linkItem(at: victim["file"], to: folder[part])
        async let sent = network.download(url, to: folder["report"])
        await server.nextExchange().respond(body: "new")
        _ = try await sent

        #expect(folder.text("report") == "new")
        #expect(victim.text("file") == "precious")
    }

    @Test func `a note without a part, and one that cannot be read, have the whole asked for`() async throws {
        let part = try await partName()
        for note in [folder.text("\(part).json") ?? "", "{", ""] {
            try folder.write("01234", to: part)
            try folder.write(note, to: "\(part).json")
            if note.count > 1 { try FileManager.default.removeItem(at: folder[part]) }
            async let sent = network.download(url, to: folder["report"])
            let exchange = await server.nextExchange()
            exchange.respond(body: "whole")
            _ = try await sent

            #expect(exchange.range == [nil, nil])
            #expect(folder.text("report") == "whole")
            #expect(folder.names == ["report"])
        }
    }

    @Test func `a part that is longer than the file is not gone on with`() async throws {
        let part = try await partName()
        try folder.write("01234567890", to: part)
        async let sent = network.download(url, to: folder["report"])
        let exchange = await server.nextExchange()
        exchange.respond(body: "whole")
        _ = try await sent

        #expect(exchange.range == [nil, nil])
    }

    @Test func `names hold nothing of the URL, and fit however long the target's name is`() async throws {
        let name = String(repeating: "n", count: 250)
        let secret = try #require(URL(string: "https://api.test/report?token=canary"))
        async let broken = network.result(of: Download(NetworkRequest(url: secret), to: folder[name]))
        await server.nextExchange().breakOff(after: "01234")
        #expect(await broken.error?.code == .truncated)

        #expect(folder.names.count == 2)
        #expect(folder.names.allSatisfy { !$0.contains("canary") && folder.text($0)?.contains("canary") == false })
    }
}
