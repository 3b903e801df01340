import Dispatch
import Foundation
import Pipeline
import PipelineTesting
import Testing

/// The progress that Foundation knows.
@Suite(.timeLimit(.minutes(3)))
struct TransferHandleTests {
    let clock = ManualClock()
    let server = ConversationTransport()
    let queue = DispatchQueue(label: "test.progress")

    private func send(
        _ request: some Request<String>,
        told: Telling
    ) -> (TransferHandle, OneShot<Result<String, NetworkError>>) {
        let network = Network(baseURL: api, transport: server, configuration: .init(time: clock))
        let result = OneShot<Result<String, NetworkError>>()
        let handle = network.send(request, on: queue, progress: told.note) {
            #expect(result.resolve($0), "the completion was called twice")
        }
        return (handle, result)
    }

    @Test func `follows the upload of an upload`() async throws {
        let told = Telling()
        let (handle, result) = send(Upload(Post(), body: .text("abcdef")), told: told)
        let progress = handle.progress
        #expect(progress.isIndeterminate && progress.isCancellable && progress.kind == .file)
        let exchange = await server.nextExchange()
        exchange.reports(sent: 2, of: 6)
        _ = await told.next()
        clock.advance(by: .seconds(1))
        exchange.reports(sent: 4, of: 6)
        _ = await told.next()
        queue.sync {
            #expect(progress.totalUnitCount == 6)
            #expect(progress.completedUnitCount == 4)
            #expect(progress.fractionCompleted == 4.0 / 6)
            #expect(progress.userInfo[.throughputKey] as? Int == 2)
            #expect(progress.userInfo[.estimatedTimeRemainingKey] as? Double == 1)
        }
        exchange.reports(sent: 6, of: 6, received: 2, of: 100)
        exchange.respond(body: "ok")

        #expect(try await result.value().get() == "ok")
        #expect(told.all.last?.direction == .download)
        #expect(progress.isFinished)
        #expect(progress.totalUnitCount == 6)
    }

    @Test func `follows the download of any other request, and finishes what had no total`() async throws {
        let told = Telling()
        let (handle, result) = send(GetGreeting { $0.body = .text("abc") }, told: told)
        let exchange = await server.nextExchange()
        exchange.reports(sent: 3, of: 3, received: 5)
        exchange.respond(body: "hello")

        #expect(try await result.value().get() == "hello")
        #expect(told.all.map(\.direction) == [.upload, .download])
        #expect(handle.progress.isFinished)
        #expect(handle.progress.completedUnitCount == 5)
    }

    @Test func `finishes where nothing was told`() async throws {
        let (handle, result) = send(GetGreeting(), told: Telling())
        await server.nextExchange().respond(body: "hello")

        #expect(try await result.value().get() == "hello")
        #expect(handle.progress.isFinished)
    }

    @Test func `cancelling it cancels the send`() async throws {
        let (handle, result) = send(GetGreeting(), told: Telling())
        let exchange = await server.nextExchange()
        handle.progress.cancel()
        await exchange.untilCancelled()

        #expect(await result.value().code == .cancelled)
    }

    @Test func `a send that is cancelled otherwise cancels it, and a failed one leaves it unfinished`() async throws {
        let bag = SendBag()
        let (handle, result) = send(GetGreeting(), told: Telling())
        handle.store(in: bag)
        _ = await server.nextExchange()
        bag.cancelAll()
        #expect(await result.value().code == .cancelled)
        #expect(handle.progress.isCancelled)

        let (other, failure) = send(GetGreeting(), told: Telling())
        await server.nextExchange().fail(NetworkError(.connectionLost))
        #expect(await failure.value().code == .connectionLost)
        #expect(!other.progress.isCancelled && !other.progress.isFinished)
    }

    @Test func `tells nothing after cancel, even if it was on its way`() async throws {
        let told = Telling()
        queue.suspend()
        let (handle, result) = send(GetGreeting(), told: told)
        let exchange = await server.nextExchange()
        exchange.reports(sent: 1, of: 2)
        handle.cancel()
        queue.resume()

        #expect(await result.value().code == .cancelled)
        #expect(told.all.isEmpty)
    }
}
