import Foundation
import Pipeline
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RequestBodyTests {
    /// An `AsyncStream` ends when its reader is cancelled, as if all of it had been there.
    @Test func `a stream that ends because its reader was cancelled is not taken for whole`() async throws {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("half".utf8))
        let body = RequestBody.stream { stream }
        let began = OneShot<Void>()
        let reader = Task {
            var chunks = try body.makeChunks()
            var count = 0
            while try await chunks.next() != nil {
                count += 1
                began.resolve(())
            }
            return count
        }
        await began.valueOrCancellation()
        reader.cancel()

        await #expect(throws: CancellationError.self) { try await reader.value }
        continuation.finish()
    }

    @Test func `a stream of a known length gives exactly so many bytes or fails`() async throws {
        for (length, isRight) in [(3, false), (4, true), (5, false)] {
            var chunks = try RequestBody.stream(length: length) { OneChunk("four") }.makeChunks()
            var failure: NetworkError.Code?
            do {
                while try await chunks.next() != nil {}
            } catch {
                failure = error.networkError?.code
            }
            #expect(failure == (isRight ? nil : .encodingFailed))
        }
    }

    @Test func `what is no plain file is refused, and a stream is named`() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        // Without somebody at its other end, whoever opens a pipe waits, and this test with it.
        let other = open(pipe.path, O_RDWR | O_CLOEXEC)
        defer { close(other) }
        let (network, sent) = Network.recording()
        for place in [pipe, folder.url, URL(fileURLWithPath: "/dev/null")] {
            let error = #expect(throws: NetworkError.self) { try RequestBody.file(place).makeChunks() }
            #expect(error?.code == .fileFailed)
            #expect(error?.reach == .no)
            #expect(error?.explanation?.contains("is no plain file; send what it brings as a stream") == true)

            let form = RequestBody.multipart([.file("f", at: place)])
            let refusal = await network.result(of: NetworkRequest(method: .post, url: api, body: form)).error
            #expect(refusal?.code == .fileFailed)
            #expect(sent.request == nil)
        }
    }

    @Test func `tells what it is, never what is in it`() {
        let secret = "s3cret"
        let bodies: [(RequestBody, String)] = [
            (.none, "no body"), (.text(secret), "bytes, text/plain; charset=utf-8, 6 bytes"),
            (.form(["a": secret]), "bytes, application/x-www-form-urlencoded, 8 bytes"),
            (.value(User(name: secret)), "a User"),
            (.stream(length: 1) { OneChunk(secret) }, "a stream, application/octet-stream, 1 bytes"),
            (
                .multipart(.formData([.field("a", secret)], boundary: "b")),
                "parts, multipart/form-data; boundary=b, 64 bytes"
            ),
        ]
        for (body, text) in bodies {
            #expect("\(body)" == text)
            var dumped = ""
            dump(body, to: &dumped)
            dump(FormPart("n", body), to: &dumped)
            dump(RequestBuilder.post("x").body(body), to: &dumped)
            #expect(!dumped.contains(secret))
        }
    }
}
