import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Downloads that break off and go on (RFC 9110, sections 13.1.5, 14 and 15.3.7).
@Suite(.timeLimit(.minutes(3)))
struct DownloadResumptionTests {
    static let noon = "Mon, 30 Nov 2026 12:00:00 GMT"

    let server = ConversationTransport()
    let monitor = RecordingMonitor()
    let folder: DownloadFolder
    let url = api.appendingPathComponent("report")

    init() throws {
        folder = try DownloadFolder()
    }

    /// A network of its own for each call, as another run of the program would make it.
    func makeNetwork(_ actions: [any Action] = []) -> Network {
        Network(
            baseURL: api,
            actions: actions,
            transport: server,
            configuration: .init(time: SystemTime.shared, monitors: [monitor])
        )
    }

    var resumptions: [String] {
        monitor.events.compactMap { event in
            guard case .resumed(let place, let total) = event.kind else { return nil }
            return "\(place) of \(total.map(String.init) ?? "?")"
        }
    }

    /// Has a download break off after "01234".
    func breakOff(length: Int = 10, headers: HTTPHeaders = ["ETag": "\"a\""]) async {
        async let broken = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().breakOff(after: "01234", of: length, headers: headers)
        #expect(await broken.error?.code == .truncated)
    }

    @Test func `a retry goes on from the last byte that is there`() async throws {
        async let sent = makeNetwork([HookAction.retryingBreakOffs]).download(url, to: folder["report"])
        await server.nextExchange().breakOff(after: "01234")
        let second = await server.nextExchange()
        #expect(folder.part == "01234")
        let pipe = second.respondStreaming(
            status: 206,
            headers: ["Content-Range": "bytes 4-9/10", "ETag": "\"a\"", "Content-Length": "6"]
        )
        pipe.write(Data("45".utf8))
        pipe.finish(throwing: NetworkError(.truncated))
        let third = await server.nextExchange()
        third.respondPart("56789", from: 5)
        let file = try await sent

        #expect(second.range == ["bytes=4-", "\"a\""])
        #expect(third.range == ["bytes=5-", "\"a\""])
        #expect(folder.text("report") == "0123456789")
        #expect((file.size, file.resumedAt) == (10, 5))
        #expect(resumptions == ["4 of 10", "5 of 10"])
        #expect(folder.names == ["report"])
    }

    @Test(
        arguments: [
            ["ETag": "\"a\""], ["ETag": "\"a\"", "Last-Modified": noon],
            ["Last-Modified": noon, "Date": "Mon, 30 Nov 2026 12:00:09 GMT"],
        ] as [HTTPHeaders]
    )
    func `another run of the program goes on`(headers: HTTPHeaders) async throws {
        await breakOff(headers: headers)
        #expect(folder.names.allSatisfy { folder.mode(of: $0) == 0o600 })
        #expect(folder.visibleNames.isEmpty)
        async let sent = makeNetwork().download(url, to: folder["report"])
        let exchange = await server.nextExchange()
        exchange.respondPart("456789", from: 4, headers: headers.filtered { $0.name != .date })

        #expect(try await sent.resumedAt == 4)
        #expect(exchange.range == ["bytes=4-", headers[.etag] ?? headers[.lastModified]])
        #expect(folder.text("report") == "0123456789")
        #expect(folder.names == ["report"])
    }

    @Test func `goes on in a folder before the server has named the file`() async throws {
        async let broken = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder.url))
        await server.nextExchange().breakOff(after: "01234")
        #expect(await broken.error?.code == .truncated)
        async let sent = makeNetwork().download(url, to: folder.url)
        let named: HTTPHeaders = ["ETag": "\"a\"", "Content-Disposition": "attachment; filename=b.txt"]
        await server.nextExchange().respondPart("456789", from: 4, headers: named)

        #expect(try await sent.url == folder["b.txt"])
        #expect(folder.names == ["b.txt"])
    }

    @Test func `a part that is whole already gets its last byte again`() async throws {
        async let broken = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().breakOff(after: "0123456789")
        #expect(await broken.error?.code == .truncated)
        async let sent = makeNetwork().download(url, to: folder["report"])
        let exchange = await server.nextExchange()
        exchange.respondPart("9", from: 9)

        #expect(try await sent.size == 10)
        #expect(exchange.range == ["bytes=9-", "\"a\""])
        #expect(folder.text("report") == "0123456789")
    }

    @Test func `a file that has changed comes whole, and its rest can be had later`() async throws {
        await breakOff()
        async let broken = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().breakOff(after: "abc", of: 6, headers: ["ETag": "\"b\""])
        #expect(await broken.error?.code == .truncated)
        #expect(folder.part == "abc")
        async let sent = makeNetwork().download(url, to: folder["report"])
        let exchange = await server.nextExchange()
        exchange.respondPart("cdef", from: 2, of: 6, headers: ["ETag": "\"b\""])

        #expect(exchange.range == ["bytes=2-", "\"b\""])
        #expect(try await sent.size == 6)
        #expect(folder.text("report") == "abcdef")
    }

    @Test(
        arguments: [
            (416, ["Content-Range": "bytes */3"]), (206, ["Content-Range": "bytes 0-9/10", "ETag": "\"a\""]),
            (206, ["Content-Range": "bytes 4-9/10", "ETag": "\"b\""]), (206, ["Content-Type": "multipart/byteranges"]),
        ] as [(Int, HTTPHeaders)]
    )
    func `an answer that does not fit has the whole asked for at once`(status: Int, headers: HTTPHeaders) async throws {
        await breakOff()
        async let sent = makeNetwork().download(url, to: folder["report"])
        let first = await server.nextExchange()
        first.respond(status: HTTPStatus(status), headers: headers, body: "xxxxxx")
        let second = await server.nextExchange()
        second.respond(headers: ["ETag": "\"a\""], body: "0123456789")

        #expect(try await sent.resumedAt == 0)
        #expect(first.range == ["bytes=4-", "\"a\""])
        #expect(second.range == [nil, nil])
        #expect(folder.text("report") == "0123456789")
        #expect(folder.names == ["report"])
    }

    @Test func `asks a server that does not do ranges well for no more of them in the same send`() async throws {
        await breakOff()
        async let sent = makeNetwork([HookAction.retryingBreakOffs]).download(url, to: folder["report"])
        await server.nextExchange().respond(status: 416)
        await server.nextExchange().breakOff(after: "0123")
        let last = await server.nextExchange()
        last.respond(headers: ["ETag": "\"a\""], body: "0123456789")

        #expect(try await sent.size == 10)
        #expect(last.range == [nil, nil])
    }

    @Test func `a cancelled download can be gone on with`() async throws {
        let source = HalfASource()
        let transport = ScriptedTransport { request in
            let body = ResponseBody.stream(BodyStream(source))
            return NetworkResponse(status: 200, headers: ["ETag": "\"a\""], body: body, request: request)
        }
        let task = Task { try await Network(transport: transport).download(url, to: folder["report"]) }
        await source.isRead.value()
        task.cancel()

        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(folder.part == "01234")
    }

    @Test func `without resumption it begins anew, and leaves nothing behind`() async throws {
        await breakOff()
        async let broken = makeNetwork().result(
            of: Download(NetworkRequest(url: url), to: folder["report"], resuming: false)
        )
        let exchange = await server.nextExchange()
        exchange.breakOff(after: "01234")

        #expect(await broken.error?.code == .truncated)
        #expect(exchange.range == [nil, nil])
        #expect(folder.names.isEmpty)
    }

    @Test func `another URL and another target have parts of their own`() async throws {
        await breakOff()
        async let other = makeNetwork().download(api.appendingPathComponent("report?v=2"), to: folder["report"])
        let first = await server.nextExchange()
        first.respond(body: "other")
        _ = try await other
        async let elsewhere = makeNetwork().download(url, to: folder["copy"])
        let second = await server.nextExchange()
        second.respond(body: "copy")
        _ = try await elsewhere

        #expect(first.range + second.range == [nil, nil, nil, nil])
        #expect(folder.part == "01234")
    }

    @Test func `a redirect is asked for no part, and its target is if the bytes came from there`() async throws {
        for (query, isKnown) in [("?sign=1", false), ("?sign=2", true)] {
            async let sent = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
            let hop = await server.nextExchange()
            hop.respond(status: 302, headers: ["Location": "https://store.test/x\(query)"])
            let end = await server.nextExchange()
            #expect(hop.range == [nil, nil])
            #expect(end.range == (isKnown ? ["bytes=4-", "\"a\""] : [nil, nil]))
            if isKnown { end.respondPart("456789", from: 4) } else { end.breakOff(after: "01234") }
            #expect(await sent.error?.code == (isKnown ? nil : .truncated))
        }
        await breakOff()
        async let moved = makeNetwork().download(url, to: folder["report"])
        await server.nextExchange().respond(status: 302, headers: ["Location": "https://other.test/x"])
        let end = await server.nextExchange()
        end.respond(body: "new")

        #expect(end.range == [nil, nil])
        #expect(try await moved.resumedAt == 0)
    }

    @Test func `a POST begins anew`() async throws {
        for _ in 1...2 {
            let request = NetworkRequest(method: .post, url: url, body: .bytes(Data("query".utf8)))
            async let sent = makeNetwork().result(of: Download(request, to: folder["report"]))
            let exchange = await server.nextExchange()
            exchange.breakOff(after: "01234")
            #expect(await sent.error?.code == .truncated)
            #expect(exchange.range == [nil, nil])
        }
        #expect(folder.names.isEmpty)
    }
}

/// "01234", and then nothing until nobody wants it any more.
private final class HalfASource: BodySource {
    /// Resolved when more is asked for: what came before is written.
    let isRead = OneShot<Void>()
    private let isBegun = Locked(false)
    private let cancellation = OneShot<Void>()

    func next() async throws -> Data? {
        guard
            isBegun.withLock({ wasBegun in
                defer { wasBegun = true }
                return wasBegun
            })
        else { return Data("01234".utf8) }
        isRead.resolve(())
        await cancellation.value()
        throw CancellationError()
    }

    func cancel() { cancellation.resolve(()) }
}

extension HTTPHeaders {
    fileprivate func filtered(_ isKept: (HTTPField) -> Bool) -> HTTPHeaders { HTTPHeaders(filter(isKept)) }
}
