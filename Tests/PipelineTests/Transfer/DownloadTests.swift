import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Downloads that need no second try.
@Suite(.timeLimit(.minutes(3)))
struct DownloadTests {
    let server = ConversationTransport()
    let folder: DownloadFolder
    let network: Network
    let url = api.appendingPathComponent("files/report.pdf")

    init() throws {
        folder = try DownloadFolder()
        network = Network(baseURL: api, transport: server)
    }

    @Test func `a file appears when it is whole, replaces what was there, and only its owner can read it`() async throws
    {
        try folder.write("old", to: "report")
        async let sent = network.download(url, to: folder["report"])
        let exchange = await server.nextExchange()
        let pipe = exchange.respondStreaming(headers: ["ETag": "\"a\"", "Content-Length": "10"])
        pipe.write(Data("new ".utf8))
        #expect(folder.text("report") == "old")
        pipe.write(Data("report".utf8))
        pipe.finish()
        let file = try await sent

        #expect(exchange.range == [nil, nil])
        #expect(exchange.request.headers[.acceptEncoding] == "identity")
        #expect(file.url == folder["report"])
        #expect((file.size, file.resumedAt) == (10, 0))
        #expect(file.response.status == 200)
        #expect(file.response.body.file == file.url)
        #expect(folder.text("report") == "new report")
        #expect(folder.mode(of: "report") == 0o600)
        #expect(folder.names == ["report"])
    }

    @Test(
        arguments: [
            (["Content-Disposition": "attachment; filename*=UTF-8''%e2%82%ac.txt"], "€.txt"),
            (["Content-Disposition": "attachment; filename=\"../../.ssh/id\""], "id"),
            (["Content-Disposition": "attachment; filename=\"..\""], "report.pdf"),
            (["Content-Disposition": "inline"], "report.pdf"), ([:], "report.pdf"),
        ] as [(HTTPHeaders, String)]
    )
    func `in a folder the file gets the server's name`(headers: HTTPHeaders, name: String) async throws {
        async let sent = network.download(url, to: folder.url)
        await server.nextExchange().respond(headers: headers, body: "x")

        #expect(try await sent.url.lastPathComponent == name)
        #expect(folder.names == [name])
    }

    @Test func `in a folder no file is replaced`() async throws {
        for (number, expected) in [(1, "report.pdf"), (2, "report (2).pdf"), (3, "report (3).pdf")] {
            async let sent = network.download(url, to: folder.url)
            await server.nextExchange().respond(body: "\(number)")

            #expect(try await sent.url == folder[expected])
        }
        #expect(folder.names.map(folder.text) == ["2", "3", "1"])
    }

    @Test func `a name in a folder is given back if the file cannot be moved there`() async throws {
        async let sent = network.result(of: Download(NetworkRequest(url: url), to: folder.url))
        let exchange = await server.nextExchange()
        for name in folder.names { try FileManager.default.removeItem(at: folder[name]) }
        exchange.respond(body: "x")

        #expect(await sent.error?.code == .fileFailed)
        #expect(folder.names.isEmpty)
    }

    @Test func `every face sends it, the base brings its options, and the limit in total is lifted`() async throws {
        struct GetReport: Request {
            typealias Response = [Int]
            func buildRequest(with baseURL: URL) throws -> NetworkRequest {
                NetworkRequest(url: baseURL.appendingPathComponent("report"), headers: ["Accept-Encoding": "gzip"])
            }
            var customProperties: CustomProperties { ["part": "a"] }
            var actions: [any Action] {
                [
                    HookAction(willBegin: { request in
                        var request = request
                        request.headers["X-Type"] = "\(request.context.requestType)"
                        return .proceed(request)
                    })
                ]
            }
        }
        async let reply = network.reply(to: Download(GetReport(), to: folder["a"]))
        let exchange = await server.nextExchange()
        exchange.respond(body: "no JSON")

        #expect(try await reply.value.url == folder["a"])
        #expect(exchange.request.url.path == "/report")
        #expect(exchange.request.headers["X-Type"] == "GetReport")
        #expect(exchange.request.headers[.acceptEncoding] == "gzip")
        #expect(exchange.request.customProperties["part"] as? String == "a")
        #expect(exchange.request.timeLimits.total == .unlimited)
        #expect(exchange.request.timeLimits.idle == .seconds(30))
    }

    @Test func `what must not be asked is not sent`() async throws {
        #expect(mkfifo(folder["pipe"].path, 0o600) == 0)
        let missing = folder["missing"]
        let get = NetworkRequest(url: url)
        let cases: [(NetworkRequest, URL, NetworkError.Code)] = [
            (get, missing.appendingPathComponent("a"), .fileFailed),
            (get, URL(fileURLWithPath: missing.path, isDirectory: true), .fileFailed),
            (get, folder["pipe"], .fileFailed),
            (get, api, .fileFailed),
            (NetworkRequest(url: url, headers: ["Range": "bytes=1-"]), folder["a"], .invalidRequest),
            (NetworkRequest(url: url, headers: ["If-Range": "\"a\""]), folder["a"], .invalidRequest),
            (NetworkRequest(method: .head, url: url), folder["a"], .invalidRequest),
        ]
        for (request, target, code) in cases {
            let error = await network.result(of: Download(request, to: target)).error
            #expect(error?.code == code)
            #expect(error?.reach == .no)
        }
        #expect(server.pendingExchanges == 0)
        #expect(folder.names == ["pipe"])
    }

    @Test func `an unacceptable status leaves everything as it was and brings its payload`() async throws {
        try folder.write("old", to: "report")
        async let sent = network.result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().respond(status: 404, headers: ["ETag": "\"a\""], body: "not here")

        #expect(await sent.error?.code == .unacceptableStatus)
        #expect(await sent.error?.payloadData == Data("not here".utf8))
        #expect(folder.names == ["report"])
        #expect(folder.text("report") == "old")
    }

    @Test(arguments: [204, 205, 304, 302, 404])
    func `a response that brings no file replaces none`(status: Int) async throws {
        try folder.write("old", to: "report")
        var request = NetworkRequest(url: url, headers: ["If-None-Match": "\"a\""])
        request.acceptableStatuses = .all
        request.redirectPolicy = .handBack
        async let sent = network.result(of: Download(request, to: folder["report"]))
        await server.nextExchange().respond(status: HTTPStatus(status), headers: ["Location": "/x"])

        #expect(await sent.error?.code == .emptyBody)
        #expect(folder.names == ["report"])
        #expect(folder.text("report") == "old")
    }

    @Test func `what an action answers goes to the file`() async throws {
        let answering = HookAction(willBegin: { request in
            .respond(NetworkResponse(status: 200, body: .bytes(Data("cached".utf8)), request: request))
        })
        let network = network.adding(answering)
        let file = try await network.download(url, to: folder.url)

        #expect(file.url == folder["report.pdf"])
        #expect((file.size, file.resumedAt) == (6, 0))
        #expect(folder.text("report.pdf") == "cached")
        #expect(folder.names == ["report.pdf"])
        #expect(server.pendingExchanges == 0)
    }

    @Test func `an empty file is a file, and what an action tries again replaces it`() async throws {
        let again = HookAction.retrying { outcome, request in outcome.status == 200 && request.context.attempt == 1 }
        let network = network.adding(again)
        async let sent = network.result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().respond(headers: ["Content-Length": "0"])
        let second = await server.nextExchange()
        #expect(folder.text("report") == "")
        second.breakOff(after: "01234", headers: [:])

        #expect(await sent.error?.code == .truncated)
        #expect(folder.names == ["report"])
        #expect(folder.text("report") == "")
    }

    @Test func `the same download runs once at a time`() async throws {
        async let first = network.download(url, to: folder["report"])
        let exchange = await server.nextExchange()
        let second = await network.result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        exchange.respond(body: "first")

        #expect(second.error?.code == .fileFailed)
        #expect(second.error?.explanation == "report is being downloaded already")
        #expect(second.error?.reach == .no)
        _ = try await first
        #expect(folder.text("report") == "first")
    }

    @Test func `what goes wrong on the disk is an error of its own, and is not tried again`() async throws {
        let network = network.adding(HookAction.retryingBreakOffs)
        async let sent = network.result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        let exchange = await server.nextExchange()
        try FileManager.default.createDirectory(at: folder["report"], withIntermediateDirectories: true)
        exchange.respond(headers: ["ETag": "\"a\""], body: "whole")

        #expect(await sent.error?.code == .fileFailed)
        #expect(await sent.error?.underlying is POSIXError)
        #expect(folder.visibleNames == ["report"])
        #expect(folder.part == "whole")
    }
}

extension Result where Failure == NetworkError {
    var error: NetworkError? { if case .failure(let error) = self { error } else { nil } }
}
