import Pipeline

// What happens after an answer that says that the server does not take the token.
extension TokenVault {
    /// The token to send a request again with that was refused.
    ///
    /// - Returns: `nil` if it must not be sent again.
    /// - Throws: ``NetworkError`` if the token cannot be renewed; `CancellationError` as soon as the send is cancelled.
    func replacement(
        for carried: TokenLease,
        hasReplayed: Bool,
        by refresher: TokenRefresher?,
        in context: SendContext,
        note: (AuthenticationNote) -> Void
    ) async throws -> TokenLease? {
        // Decided and joined in one step: in between the refresh could come to its end, and a second one begin.
        let (decision, participation) = state.withLock { state -> (ReplayDecision, Participation?) in
            let decision = ReplayDecision(
                carried: carried,
                current: state.ledger[carried.scope],
                hasReplayed: hasReplayed,
                canRefresh: refresher != nil
            )
            guard case .refresh = decision else { return (decision, nil) }
            return (decision, join(carried.scope, isAfterRefusal: true, &state))
        }
        if let participation {
            let outcome = try await outcome(
                of: participation,
                because: "the server refused it",
                by: refresher,
                in: context,
                note: note
            )
            return try replacement(for: carried, after: outcome, note: note)
        }
        switch decision {
        case .deliver(let reason):
            note(.delivered(reason))
            return nil
        case .resend(let lease): return lease
        case .fail(let error): throw NetworkError(refreshRejected: error)
        case .refresh: return nil  // It was waited for.
        }
    }

    private func replacement(
        for carried: TokenLease,
        after outcome: RefreshFlight.Outcome,
        note: (AuthenticationNote) -> Void
    ) throws -> TokenLease? {
        switch outcome {
        case .refreshed(let lease):
            guard lease.token.isSameCredential(as: carried.token) else { return lease }
            note(.delivered(ReplayDecision.sameToken))
            return nil
        case .rejected(let error):
            throw NetworkError(refreshRejected: error)
        case .broken(let error):
            throw NetworkError(refreshBroke: error)
        case .superseded:
            note(.delivered(ReplayDecision.otherUser))
            return nil
        }
    }
}
