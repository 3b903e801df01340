import Pipeline

// What happens before a request goes out.
extension TokenVault {
    /// What there is for a request to carry.
    enum Supply: Sendable {
        case lease(TokenLease)
        case absent
        case rejected(any Error)
    }

    private enum Step {
        case give(Supply)
        case read
        /// Looks whether another program has put a token into the store.
        case lookAgain(TokenLedger.Mark)
        case wait(Participation, because: String)
    }

    /// The token for a request: read from the store, renewed if it is near its end, obtained if there is none.
    ///
    /// - Throws: ``NetworkError`` if it cannot be had now; `CancellationError` as soon as the send is cancelled.
    func supply(
        for scope: TokenScope,
        by refresher: TokenRefresher?,
        in context: SendContext,
        note: (AuthenticationNote) -> Void
    ) async throws -> Supply {
        var mayLookAgain = sharesStore
        while true {
            let step = state.withLock { state in
                nextStep(for: scope, by: refresher, in: context, mayLookAgain: mayLookAgain, &state)
            }
            switch step {
            case .give(let supply):
                return supply
            case .read:
                try await read(scope)
            case .lookAgain(let mark):
                mayLookAgain = false
                try await takeWhatOthersStored(for: scope, since: mark)
            case .wait(let participation, let reason):
                let outcome = try await outcome(
                    of: participation,
                    because: reason,
                    by: refresher,
                    in: context,
                    note: note
                )
                let flight = participation.flight
                if let supply = try supply(after: outcome, of: flight, by: refresher, in: context) { return supply }
            }
        }
    }

    private func nextStep(
        for scope: TokenScope,
        by refresher: TokenRefresher?,
        in context: SendContext,
        mayLookAgain: Bool,
        _ state: inout State
    ) -> Step {
        let entry = state.ledger[scope]
        switch entry.standing {
        case .unread:
            return .read
        case .rejected(let error):
            return mayLookAgain ? .lookAgain(entry.mark) : .give(.rejected(error))
        case .absent:
            if mayLookAgain { return .lookAgain(entry.mark) }
            guard let refresher, refresher.policy.obtainsTokens else { return .give(.absent) }
            return .wait(join(scope, &state), because: "there is none")
        case .present(let token):
            // Whoever renews it, for whatever reason, the token is on its way out.
            if state.flights[scope] != nil { return .wait(join(scope, &state), because: "") }
            let lease = TokenLease(scope: scope, token: token, mark: entry.mark)
            guard let refresher else { return .give(.lease(lease)) }
            switch freshness(of: token, by: refresher, in: context) {
            case .fresh: return .give(.lease(lease))
            case .due where state.brokenAhead[scope] == entry.mark: return .give(.lease(lease))
            case .due: return .wait(join(scope, &state), because: "it is about to expire")
            case .expired: return .wait(join(scope, &state), because: "it has expired")
            }
        }
    }

    private func freshness(
        of token: AccessToken,
        by refresher: TokenRefresher,
        in context: SendContext
    ) -> TokenFreshness {
        TokenFreshness(of: token, at: context.time.date, renewingAhead: refresher.policy.refreshesAhead)
    }

    /// What a send carries after a refresh that it waited for.
    ///
    /// - Returns: `nil` to look again from the beginning.
    private func supply(
        after outcome: RefreshFlight.Outcome,
        of flight: RefreshFlight,
        by refresher: TokenRefresher?,
        in context: SendContext
    ) throws -> Supply? {
        switch outcome {
        case .refreshed(let lease):
            return .lease(lease)
        case .rejected(let error):
            return .rejected(error)
        case .broken(let error):
            // A token that was to be renewed ahead of time still works.
            if !flight.isAfterRefusal, let refresher,
                let lease = state.withLock({ $0.ledger.lease(for: flight.scope) }),
                lease.mark == flight.mark, freshness(of: lease.token, by: refresher, in: context) != .expired
            {
                return .lease(lease)
            }
            throw NetworkError(refreshBroke: error)
        case .superseded:
            // A send that waited for a first token has nothing of another user's.
            guard flight.token == nil else { throw NetworkError(.authenticationChanged) }
            return nil
        }
    }
}
