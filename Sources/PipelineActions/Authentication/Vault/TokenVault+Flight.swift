import Foundation
import Pipeline

// One refresh at a time for each scope, for all who wait.
extension TokenVault {
    /// A send's part in a refresh.
    struct Participation: Sendable {
        let flight: RefreshFlight
        /// Whether the send sets it off.
        let isFirst: Bool
    }

    /// Takes part in the refresh of a scope: the one that is under way, or a new one.
    func join(_ scope: TokenScope, isAfterRefusal: Bool = false, _ state: inout State) -> Participation {
        if let flight = state.flights[scope] { return Participation(flight: flight, isFirst: false) }
        let flight = RefreshFlight(scope: scope, entry: state.ledger[scope], isAfterRefusal: isAfterRefusal)
        state.flights[scope] = flight
        return Participation(flight: flight, isFirst: true)
    }

    /// Waits for the end of a refresh, and sets it off if nobody has.
    ///
    /// - Throws: `CancellationError` as soon as the send is cancelled; the refresh goes on.
    func outcome(
        of participation: Participation,
        because reason: String,
        by refresher: TokenRefresher?,
        in context: SendContext,
        note: (AuthenticationNote) -> Void
    ) async throws -> RefreshFlight.Outcome {
        let flight = participation.flight
        guard RefreshFlight.current !== flight else {
            throw NetworkError(
                .authenticationFailed,
                "a refresh sends a request that waits for this very refresh; use TokenRefresh.network, or set "
                    + "requiresAuthentication to false",
                reach: .no
            )
        }
        if participation.isFirst, let refresher {
            note(.refreshing(flight.scope, because: reason))
            launch(flight, by: refresher, in: context)
        } else {
            note(.waiting(flight.scope))
        }
        return try await flight.outcome.value()
    }

    /// Starts a refresh. It belongs to the vault from here on, not to the send that set it off.
    private func launch(_ flight: RefreshFlight, by refresher: TokenRefresher, in context: SendContext) {
        let time = context.time
        let network = Result { try context.network(removing: BearerTokenAction.self) }
        // Sends of any priority may come to wait for it.
        let task = Task(priority: .userInitiated) { await run(flight, by: refresher, through: network, in: time) }
        let allowed = refresher.policy.refreshTimeLimit
        let limit = time.startLimit(of: allowed) { [weak self] in
            let error = NetworkError(.timedOut, "the refresh took longer than \(allowed)")
            flight.end(self?.state.withLock { $0.giveUp(flight, error) } ?? .broken(error))
        }
        flight.adopt(task, limit: limit)
    }

    private func run(
        _ flight: RefreshFlight,
        by refresher: TokenRefresher,
        through network: Result<Network, any Error>,
        in time: any TimeSource
    ) async {
        if let token = await tokenOfOthers(than: flight) {
            await complete(flight, with: .success(token), isStored: true, in: time)
            return
        }
        do {
            let refresh = TokenRefresh(scope: flight.scope, token: flight.token, network: try network.get())
            let token = try await RefreshFlight.$current.withValue(flight) { try await refresher.run(refresh) }
            await complete(flight, with: .success(token), in: time)
        } catch {
            // Another program may have used the refresh token first.
            if RefreshFailure(error) == .rejected, let token = await tokenOfOthers(than: flight) {
                await complete(flight, with: .success(token), isStored: true, in: time)
            } else {
                await complete(flight, with: .failure(error), in: time)
            }
        }
    }

    /// Ends a refresh: in the books first, then for the application, the store, and those who wait.
    ///
    /// They wait for the store: a program may end with the send, and a refresh token is good for one time only, as a rule.
    private func complete(
        _ flight: RefreshFlight,
        with result: Result<AccessToken, any Error>,
        isStored: Bool = false,
        in time: any TimeSource
    ) async {
        let scope = flight.scope
        let result = result.map { $0.received(at: time.date) }
        let (outcome, event, storing) = state.withLock { state in
            state.remove(flight)
            let (outcome, event) = state.end(flight, with: result)
            return (outcome, event, event == nil || isStored ? nil : store(scope, &state))
        }
        if let event { listeners.tell(event) }
        if case .failure(let error) = await storing?.result {
            listeners.tell(.notStored(scope, NetworkError(storeFailed: error)))
        }
        flight.end(outcome)
    }
}

extension TokenVault.State {
    /// Lets those who come from now on not wait for a refresh.
    mutating func remove(_ flight: RefreshFlight) {
        if flights[flight.scope] === flight { flights[flight.scope] = nil }
    }

    /// Enters what a refresh brought. It counts only if nothing has changed since it began.
    mutating func end(
        _ flight: RefreshFlight,
        with result: Result<AccessToken, any Error>
    ) -> (RefreshFlight.Outcome, AuthenticationEvent?) {
        let scope = flight.scope
        switch result {
        case .success(let token):
            let token = token.keepingRefreshToken(of: flight.token)
            // Unless the refresh has set it itself.
            guard ledger.refreshed(token, for: scope, since: flight.mark) || isCurrent(token, of: flight) else { break }
            return (overtaken(flight), .refreshed(scope))
        case .failure(let error) where RefreshFailure(error) == .rejected:
            guard ledger.rejected(error, for: scope, since: flight.mark) else { break }
            return (.rejected(error), .rejected(scope, NetworkError(refreshRejected: error)))
        case .failure(let error):
            guard ledger[scope].mark == flight.mark else { break }
            if !flight.isAfterRefusal { brokenAhead[scope] = flight.mark }
            return (.broken(error), nil)
        }
        return (overtaken(flight), nil)
    }

    private func isCurrent(_ token: AccessToken, of flight: RefreshFlight) -> Bool {
        let entry = ledger[flight.scope]
        return entry.mark.epoch == flight.mark.epoch && entry.token?.isSameCredential(as: token) == true
    }

    /// What a refresh comes to whose time is up: nothing, unless all but the store is done.
    mutating func giveUp(_ flight: RefreshFlight, _ error: NetworkError) -> RefreshFlight.Outcome {
        remove(flight)
        let entry = ledger[flight.scope]
        guard entry.mark == flight.mark else { return overtaken(flight) }
        if case .rejected(let error) = entry.standing { return .rejected(error) }
        if !flight.isAfterRefusal { brokenAhead[flight.scope] = flight.mark }
        return .broken(error)
    }

    /// What those who waited for a refresh find in the books.
    private func overtaken(_ flight: RefreshFlight) -> RefreshFlight.Outcome {
        let entry = ledger[flight.scope]
        guard entry.mark.epoch == flight.mark.epoch else { return .superseded }
        switch entry.standing {
        case .rejected(let error): return .rejected(error)
        case .present(let token): return .refreshed(TokenLease(scope: flight.scope, token: token, mark: entry.mark))
        case .absent, .unread: return .superseded
        }
    }
}
