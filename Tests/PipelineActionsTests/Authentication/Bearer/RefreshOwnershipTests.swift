import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Whose a refresh is: the vault's, and not that of the send that set it off.
@Suite(.timeLimit(.minutes(3)))
struct RefreshOwnershipTests {
    @Test func `the refresh outlives the send that set it off`() async throws {
        let stage = AuthenticationStage()
        let network = stage.network()
        var events = stage.tokens.events.makeAsyncIterator()
        let send = Task { await network.result(of: AskProtected()) }
        await stage.next().0.respond(status: 401)
        let (refresh, _) = await stage.next()
        send.cancel()
        #expect(await send.value.thrownCode == .cancelled)

        #expect(!refresh.isCancelled)
        refresh.grant("new")
        guard case .refreshed = await events.next() else { Issue.record("not told"); return }
        #expect(try await stage.tokens.token()?.value == "new")
    }

    @Test func `a send whose own limit strikes while it waits leaves, and the refresh goes on`() async throws {
        let stage = AuthenticationStage(clock: ManualClock(keepsTimeLimits: true))
        let network = stage.network()
        var events = stage.tokens.events.makeAsyncIterator()
        async let result = network.result(of: AskProtected().configured { $0.timeLimits.total = .seconds(10) })
        await stage.next().0.respond(status: 401)
        let (refresh, _) = await stage.next()
        stage.clock.advance(by: .seconds(11))
        #expect(await result.thrownCode == .timedOut)

        refresh.grant("new")
        guard case .refreshed = await events.next() else { Issue.record("not told"); return }
    }

    @Test func `a refresh has a deadline of its own`() async throws {
        let stage = AuthenticationStage(clock: ManualClock(keepsTimeLimits: true))
        let network = stage.network()
        async let result = network.result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        let (refresh, _) = await stage.next()
        stage.clock.advance(by: .seconds(31))
        let error = try #require(await result.thrownError)
        await refresh.untilCancelled()

        #expect(error.code == .authenticationFailed)
        #expect(error.underlying?.networkError?.code == .timedOut)
        #expect(try await stage.tokens.token()?.value == "old")
    }

    @Test func `a refresh that waits for itself fails at once`() async throws {
        let stage = AuthenticationStage()
        let holder = NetworkHolder()
        let network = stage.network(
            BearerTokenAction(stage.tokens) { [holder] _ in
                _ = try await holder.network.send(AskProtected("token"))
                return AccessToken("new")
            }
        )
        holder.hold(network)
        async let result = network.result(of: AskProtected())
        await stage.next().0.respond(status: 401)
        let error = try #require(await result.thrownError)

        #expect(error.code == .authenticationFailed)
        #expect(error.underlying?.networkError?.explanation?.contains("TokenRefresh.network") == true)
        #expect(stage.server.pendingExchanges == 0)
    }

    @Test func `a refresh keeps nothing after its end`() async throws {
        let leaks = LeakCheck()
        let tokens = TokenVault(AccessToken("old"))
        do {
            let server = ConversationTransport()
            let network = Network(
                baseURL: AuthenticationStage.api,
                actions: [
                    BearerTokenAction(tokens) { refresh in
                        _ = try await refresh.network.send(NetworkRequest(url: AuthenticationStage.api))
                        return AccessToken("new")
                    }, HoldingAction(leaks.token("network")),
                ],
                transport: server
            )
            let cancelled = Task { await network.result(of: AskProtected()) }
            await server.nextExchange().respond(status: 401)
            let refresh = await server.nextExchange()
            cancelled.cancel()
            _ = await cancelled.value
            refresh.respond()
        }
        await leaks.untilAllReleased()
        #expect(try await tokens.token()?.value == "new")
    }

    @Test func `networks that share a vault share a refresh`() async throws {
        let stage = AuthenticationStage()
        let (one, other) = (stage.network(), stage.network())
        async let first = one.send(AskProtected("first"))
        async let second = other.send(AskProtected("second"))
        let exchanges = [await stage.next().0, await stage.next().0]
        for exchange in exchanges { exchange.respond(status: 401) }
        let (refresh, line) = await stage.next()
        #expect(line == "token none")
        await stage.note(.waiting(.global))
        refresh.grant("new")
        for _ in 0..<2 { await stage.next().0.respond(body: "ok") }
        _ = try await (first, second)
        #expect(stage.server.pendingExchanges == 0)
    }

    @Test func `scopes are refreshed apart`() async throws {
        let stage = AuthenticationStage()
        try await stage.tokens.set(AccessToken("admin", refreshToken: "a"), for: .label("admin"))
        let network = stage.network()
        async let first = network.send(AskProtected())
        async let second = network.send(TellProtected(label: "admin"))
        let exchanges = [await stage.next().0, await stage.next().0]
        for exchange in exchanges { exchange.respond(status: 401) }
        for refresh in [await stage.next().0, await stage.next().0] {
            refresh.grant(refresh.request.body.data == Data("a".utf8) ? "admin 2" : "new")
        }
        for _ in 0..<2 { await stage.next().0.respond(body: "ok") }
        _ = try await (first, second)

        #expect(try await stage.tokens.token()?.value == "new")
        #expect(try await stage.tokens.token(for: .label("admin"))?.value == "admin 2")
    }
}

/// Lets a closure know the network that it is part of.
private final class NetworkHolder: Sendable {
    private let held = Locked<Network?>(nil)

    func hold(_ network: Network) { held.withLock { $0 = network } }

    /// The network, once: nobody keeps anybody after that.
    var network: Network {
        get throws {
            try #require(
                held.withLock { held in
                    defer { held = nil }
                    return held
                }
            )
        }
    }
}
