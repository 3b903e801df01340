import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Users do not mix: what began for one has nothing of the next one's.
@Suite(.timeLimit(.minutes(3)))
struct UserChangeTests {
    enum Change: Sendable, CaseIterable {
        case login
        case logout
        case logoutOfAll

        func make(_ tokens: TokenVault) async throws {
            switch self {
            case .login: try await tokens.set(AccessToken("bob", refreshToken: "bob's"))
            case .logout: try await tokens.remove()
            case .logoutOfAll: try await tokens.removeAll()
            }
        }
    }

    /// Plays with a token of Ada's, waits until all that it set in motion has come to its end, and expects that what the
    /// change left is there and nothing was told.
    func play(_ change: Change, _ play: (AuthenticationStage) async throws -> Void) async throws {
        let (events, store): (AsyncStream<AuthenticationEvent>, MemoryTokenStore)
        do {
            let stage = AuthenticationStage(AccessToken("ada", refreshToken: "ada's"))
            (events, store) = (stage.tokens.events, stage.store)
            try await play(stage)
            #expect(try await stage.tokens.token()?.value == (change == .login ? "bob" : nil))
            #expect(stage.server.pendingExchanges == 0)
        }
        // Whatever still runs holds the vault, and the sequence ends with it.
        for await event in events { Issue.record("told that \(event)") }
        #expect(try await store.token(for: .global)?.value == (change == .login ? "bob" : nil))
    }

    @Test(arguments: Change.allCases)
    func `a refresh that began before writes over nothing, and its waiters go without`(change: Change) async throws {
        try await play(change) { stage in
            let closure = Gate()
            let network = stage.network(
                BearerTokenAction(stage.tokens) { _ in
                    await closure.pass()
                    return AccessToken("ada 2")
                }
            )
            async let result = network.result(of: AskProtected())
            await stage.next().0.respond(status: 401, body: "ada's refusal")
            await closure.arrival()
            try await change.make(stage.tokens)
            // At once, whatever becomes of the refresh.
            #expect(await result.thrownError?.payloadData == Data("ada's refusal".utf8))
            closure.open()
        }
    }

    @Test(arguments: Change.allCases)
    func `a rejection that began before logs nobody out`(change: Change) async throws {
        try await play(change) { stage in
            let closure = Gate()
            let network = stage.network(
                BearerTokenAction(stage.tokens) { _ -> AccessToken in
                    await closure.pass()
                    throw RefreshRejection("ada is gone")
                }
            )
            async let result = network.result(of: AskProtected())
            await stage.next().0.respond(status: 401)
            await closure.arrival()
            try await change.make(stage.tokens)
            #expect(await result.thrownError?.statusCode == 401)
            closure.open()
        }
    }

    @Test(arguments: Change.allCases)
    func `the refresh is called off`(change: Change) async throws {
        try await play(change) { stage in
            async let result = stage.network().result(of: AskProtected())
            await stage.next().0.respond(status: 401)
            let (refresh, line) = await stage.next()
            #expect(line == "token none")
            try await change.make(stage.tokens)
            await refresh.untilCancelled()
            #expect(await result.thrownError?.statusCode == 401)
        }
    }

    @Test(arguments: Change.allCases)
    func `who waited to go out with the old token does not go out with the new one`(change: Change) async throws {
        try await play(change) { stage in
            try await stage.tokens.set(AccessToken("ada", refreshToken: "ada's", expiresIn: .seconds(100)))
            stage.clock.advance(by: .seconds(99))
            async let result = stage.network().result(of: AskProtected())
            let (_, line) = await stage.next()
            #expect(line == "token none")
            try await change.make(stage.tokens)
            #expect(await result.thrownCode == .authenticationChanged)
        }
    }

    @Test(arguments: Change.allCases)
    func `an answer to the old token is passed on`(change: Change) async throws {
        try await play(change) { stage in
            async let result = stage.network().result(of: AskProtected())
            let (exchange, _) = await stage.next()
            try await change.make(stage.tokens)
            exchange.respond(status: 401, body: "ada's refusal")
            #expect(await result.thrownError?.payloadData == Data("ada's refusal".utf8))
        }
    }

    @Test(arguments: Change.allCases)
    func `a redirect does not carry a send over to the new token`(change: Change) async throws {
        try await play(change) { stage in
            async let result = stage.network().result(of: AskProtected())
            let (exchange, _) = await stage.next()
            try await change.make(stage.tokens)
            exchange.respond(status: 307, headers: [.location: "/next"])
            #expect(await result.thrownCode == .authenticationChanged)
        }
    }

    // MARK: What is no change of user

    let stage = AuthenticationStage(AccessToken("ada", refreshToken: "ada's"))

    @Test func `a newer token of the same user serves all who wait, and nobody's refresh writes over it`() async throws
    {
        let network = stage.network()
        async let answer = network.send(AskProtected())
        await stage.next().0.respond(status: 401)
        let (refresh, _) = await stage.next()
        try await stage.tokens.renew(AccessToken("ada 3"))
        refresh.grant("ada 2")
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer ada 3")
        exchange.respond(body: "ok")

        #expect(try await answer == "ok")
        #expect(try await stage.tokens.token()?.value == "ada 3")
    }

    @Test func `a refresh that also sets the token that it brings does not stand in its own way`() async throws {
        let tokens = stage.tokens
        let network = stage.network(
            BearerTokenAction(tokens) { _ in
                let token = AccessToken("ada 2")
                try await tokens.set(token)
                return token
            }
        )
        async let answer = network.send(AskProtected())
        await stage.next().0.respond(status: 401)
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer ada 2")
        exchange.respond(body: "ok")
        #expect(try await answer == "ok")
    }

    @Test func `what a refresh sets itself keeps the refresh token, and the application hears of it`() async throws {
        let stage = AuthenticationStage(AccessToken("ada", refreshToken: "for all"))
        let tokens = stage.tokens
        let events = tokens.events
        let network = stage.network(
            BearerTokenAction(tokens) { _ in
                let token = AccessToken("ada 2")
                try await tokens.set(token)
                return token
            }
        )
        async let answer = network.send(AskProtected())
        await stage.next().0.respond(status: 401)
        await stage.next().0.respond(body: "ok")
        _ = try await answer

        for token in [try await tokens.token(), try await stage.store.token(for: .global)] {
            #expect(token?.value == "ada 2")
            #expect(token?.refreshToken == "for all")
        }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.description == "the token for global was renewed")
    }

    @Test func `who waits for a first token takes the one that is set meanwhile`() async throws {
        let stage = AuthenticationStage(nil)
        var policy = BearerTokenPolicy()
        policy.obtainsTokens = true
        async let answer = stage.network(policy: policy).send(AskProtected())
        let (login, _) = await stage.next()
        try await stage.tokens.set(AccessToken("ada"))
        await login.untilCancelled()
        let (exchange, line) = await stage.next()
        #expect(line == "ask Bearer ada")
        exchange.respond(body: "ok")
        #expect(try await answer == "ok")
    }

    @Test func `a new user is served while the old one's refresh is still under way`() async throws {
        let (events, store): (AsyncStream<AuthenticationEvent>, MemoryTokenStore)
        do {
            let stage = AuthenticationStage(AccessToken("ada", refreshToken: "ada's"))
            (events, store) = (stage.tokens.events, stage.store)
            let closure = Gate()
            let network = stage.network(
                BearerTokenAction(stage.tokens) { refresh in
                    if refresh.token?.value == "ada" { await closure.pass() }
                    return AccessToken((refresh.token?.value ?? "") + " 2")
                }
            )
            async let old = network.result(of: AskProtected("old"))
            await stage.next().0.respond(status: 401)
            await closure.arrival()
            try await stage.tokens.set(AccessToken("bob"))
            #expect(await old.thrownError?.statusCode == 401)

            async let new = network.send(AskProtected("new"))
            await stage.next().0.respond(status: 401)
            let (exchange, line) = await stage.next()
            #expect(line == "new Bearer bob 2")
            exchange.respond(body: "ok")
            #expect(try await new == "ok")
            closure.open()
        }
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 1)
        #expect(try await store.token(for: .global)?.value == "bob 2")
    }
}
