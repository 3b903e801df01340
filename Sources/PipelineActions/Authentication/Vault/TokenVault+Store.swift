import Pipeline

// What the store is asked, and what its answers mean.
extension TokenVault {
    /// Asks the store for the token of a scope, once for all who wait.
    ///
    /// - Throws: What the store throws; `CancellationError` as soon as the task is cancelled. The next one asks again.
    func read(_ scope: TokenScope) async throws {
        let (reading, mark) = state.withLock { state -> (SharedResult<Result<Void, any Error>>, TokenLedger.Mark?) in
            if let reading = state.readings[scope] { return (reading, nil) }
            let reading = SharedResult<Result<Void, any Error>>()
            state.readings[scope] = reading
            return (reading, state.ledger[scope].mark)
        }
        if let mark {
            let answer = queue.enqueue { [time] store in
                try await store.token(for: scope)?.received(at: time.date)
            }
            Task {
                let result = await answer.result
                state.withLock { state in
                    if case .success(let token) = result { state.ledger.read(token, for: scope, since: mark) }
                    state.readings[scope] = nil
                }
                reading.resolve(result.map { _ in })
            }
        }
        try await reading.value().get()
    }

    /// The token that another program has put into the store in the place of the one that is to be renewed, if one has.
    func tokenOfOthers(than flight: RefreshFlight) async -> AccessToken? {
        let scope = flight.scope
        guard sharesStore, !state.withLock({ $0.unstored.contains(scope) }),
            let found = try? await queue.enqueue({ try await $0.token(for: scope) }).value
        else { return nil }
        return flight.token?.isSameCredential(as: found) == true ? nil : found
    }

    /// Takes the token of another program where this one has none.
    func takeWhatOthersStored(for scope: TokenScope, since mark: TokenLedger.Mark) async throws {
        guard let found = try await queue.enqueue({ try await $0.token(for: scope) }).value?.received(at: time.date)
        else { return }
        state.withLock { state in
            guard state.ledger[scope].mark == mark, !state.unstored.contains(scope) else { return }
            state.ledger.replace(found, for: scope)
        }
    }
}
