import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

/// Answers to the question for a rest that cannot be taken as they are.
extension DownloadResumptionTests {
    @Test func `a part that nobody asked for is a violation`() async throws {
        async let sent = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().respondPart("0123456789", from: 0)

        #expect(await sent.error?.code == .protocolViolation)
        #expect(folder.names.isEmpty)
    }

    @Test func `a part that ends early is kept, and says so`() async throws {
        await breakOff()
        async let broken = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().respondPart("456", from: 4)

        #expect(await broken.error?.code == .truncated)
        #expect(await broken.error?.explanation == "the server sent the bytes from 4 to 7 of 10")
        #expect(folder.part == "0123456")
    }

    @Test func `a part of a file whose length nobody knows has the whole asked for`() async throws {
        async let broken = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        let pipe = await server.nextExchange().respondStreaming(headers: ["ETag": "\"a\""])
        pipe.write(Data("01234".utf8))
        pipe.finish(throwing: NetworkError(.truncated))
        #expect(await broken.error?.code == .truncated)
        async let sent = makeNetwork().download(url, to: folder["report"])
        let first = await server.nextExchange()
        first.respond(status: 206, headers: ["Content-Range": "bytes 4-6/*", "ETag": "\"a\""], body: "456")
        let second = await server.nextExchange()
        second.respond(headers: ["ETag": "\"a\""], body: "0123456789")

        #expect(first.range == ["bytes=4-", "\"a\""])
        #expect(second.range == [nil, nil])
        #expect(try await sent.size == 10)
        #expect(folder.text("report") == "0123456789")
    }

    @Test func `bytes behind the announced end of a part are not kept`() async throws {
        await breakOff()
        async let broken = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        let pipe = await server.nextExchange().respondStreaming(
            status: 206,
            headers: ["Content-Range": "bytes 4-5/10", "ETag": "\"a\""]
        )
        pipe.write(Data("45".utf8) + Data(repeating: 0x78, count: 48))
        pipe.finish()

        #expect(await broken.error?.code == .protocolViolation)
        #expect(folder.part == "01234")
    }

    @Test func `the largest size is that of the file, not that of its parts`() async throws {
        await breakOff()
        var request = NetworkRequest(url: url)
        request.maximumResponseSize = 9
        async let sent = makeNetwork().result(of: Download(request, to: folder["report"]))
        await server.nextExchange().respondPart("456789", from: 4)

        #expect(await sent.error?.code == .responseTooLarge)
        #expect(folder.names.isEmpty)
    }

    @Test func `nothing is kept of a file that a transport finds too large`() async throws {
        async let sent = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        let pipe = await server.nextExchange().respondStreaming(headers: ["ETag": "\"a\""])
        pipe.write(Data("01234".utf8))
        pipe.finish(throwing: NetworkError(.responseTooLarge))

        #expect(await sent.error?.code == .responseTooLarge)
        #expect(folder.names.isEmpty)
    }

    @Test(
        arguments: [
            [:], ["ETag": "W/\"a\""], ["Last-Modified": noon, "Date": noon],
            ["ETag": "\"a\"", "Accept-Ranges": "none"],
            ["ETag": "\"a\"", "Content-Encoding": "gzip"],
        ] as [HTTPHeaders]
    )
    func `nothing is kept that could not be gone on with`(headers: HTTPHeaders) async throws {
        try folder.write("old", to: "report")
        await breakOff(headers: headers)

        #expect(folder.names == ["report"])
        #expect(folder.text("report") == "old")
    }

    @Test func `an answer of another kind leaves the part`() async throws {
        await breakOff()
        for answer in [503, 401, 404] {
            async let sent = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
            await server.nextExchange().respond(status: HTTPStatus(answer), body: "page")
            #expect(await sent.error?.code == .unacceptableStatus)
        }
        async let lost = makeNetwork().result(of: Download(NetworkRequest(url: url), to: folder["report"]))
        await server.nextExchange().fail(NetworkError(.connectionRefused))
        #expect(await lost.error?.code == .connectionRefused)

        #expect(folder.part == "01234")
    }
}
