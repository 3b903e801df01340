import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Sends on behalf of sends.
@Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
struct ConcurrencyLimitSubsendTests: ConcurrencyLimitSuite {
    let stage = ConcurrencyLimitStage()

    @Test func `a send made for a send rides on its permit, also through a retry of its own`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1, perHost: 1)
        let network = network(RetryingOnce(), limit, AskingAction())
        async let response = network.send(request("outer"))
        let inner = await server.nextExchange()
        #expect(inner.request.url.path == "/inner")
        inner.respond(status: 503)
        await server.nextExchange().respond()
        let outer = await server.nextExchange()
        #expect(outer.request.url.path == "/outer")
        #expect(limit.permitsTaken == 1)
        outer.respond()
        _ = try await response
        #expect(limit.permitsTaken == 0)
    }

    @Test func `who rides goes on riding when the one who carries is gone`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let asking = DetachedAskingAction()
        let network = network(RetryingOnce(), limit, asking)
        let outer = Task { [request = request("outer")] in try await network.send(request) }
        let inner = await server.nextExchange()
        #expect(inner.request.url.path == "/inner")
        outer.cancel()
        _ = await outer.result
        async let other = network.send(request("other"))
        let holder = await server.nextExchange()
        #expect(limit.permitsTaken == 1)

        // Others may wait for it; so it must not wait for them.
        inner.respond(status: 503)
        let again = await server.nextExchange()
        #expect(again.request.url.path == "/inner")
        again.respond()
        await asking.answered.valueOrCancellation()
        holder.respond()
        _ = try await other
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a send made for one that has no permit takes its own`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        let network = network(AskingAction(), limit)
        async let response = network.send(request("outer"))
        let inner = await server.nextExchange()
        #expect(limit.permitsTaken == 1)
        inner.respond()
        await server.nextExchange().respond()
        _ = try await response
        #expect(limit.permitsTaken == 0)
    }

    @Test func `a limit that stands in the list twice does not wait for itself`() async throws {
        let limit = ConcurrencyLimitAction(maximumConcurrentRequests: 1)
        async let response = network(limit, limit).send(request("1"))
        await server.nextExchange().respond()
        _ = try await response
        #expect(limit.permitsTaken == 0)
    }
}

/// Sends a request of its own first.
private struct AskingAction: RequestWillBeginAction {
    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let network = try request.context.network(removing: AskingAction.self)
        _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test/inner")!))
        return .proceed(request)
    }
}

/// Begins a send of its own for the first request, which does not end with it, and waits for that.
private final class DetachedAskingAction: RequestWillBeginAction {
    let answered = OneShot<Void>()
    private let hasAsked = Locked(false)

    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let isFirst = hasAsked.withLock { hasAsked in
            defer { hasAsked = true }
            return !hasAsked
        }
        guard isFirst else { return .proceed(request) }
        let network = try request.context.network(removing: DetachedAskingAction.self)
        Task {
            _ = try? await network.send(NetworkRequest(url: URL(string: "https://api.test/inner")!))
            answered.resolve(())
        }
        let wait = OneShot<Void>()
        await withTaskCancellationHandler {
            await wait.value()
        } onCancel: {
            wait.resolve(())
        }
        throw CancellationError()
    }
}
