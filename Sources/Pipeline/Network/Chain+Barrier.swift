/// What becomes of a send where there is no network.
extension Chain {
    private var gate: NetworkGate { NetworkGate(request.offlinePolicy, send.core) }

    /// What stands between a request and its attempt. If that ends the send, it is the outcome.
    @inline(never)
    mutating func barrier(before origin: Origin) -> NetworkGate.Barrier {
        let verdict = gate.verdict(on: origin)
        if case .closed(let path) = verdict { outcome = .failure(described(NetworkError(offline: path), .transport)) }
        return verdict.barrier
    }

    /// What stood in the way of an attempt that failed. If there was something, that is the outcome.
    @inline(never)
    mutating func barrierInOutcome() -> NetworkGate.Barrier {
        guard case .failure(let error) = outcome, send.stopReason == nil, let origin = Origin(request.url) else {
            return .open
        }
        let verdict = gate.verdict(on: error, from: origin)
        if let path = verdict.path {
            outcome = .failure(described(NetworkError(offline: path, after: error), .transport))
        }
        return verdict.barrier
    }

    /// Waits until an attempt may succeed.
    ///
    /// - Parameter hasFailed: Whether the outcome is one that failed for want of a network.
    /// - Returns: Whether the way is open; if something ended the wait early, that is the outcome.
    @inline(never)
    mutating func sitOutBarrier(hasFailed: Bool) async -> NetworkGate.Barrier {
        send.enter(.waitingForNetwork)
        do {
            var failure: NetworkError?
            if hasFailed, case .failure(let error) = outcome { failure = error }
            try await context.waitForNetwork(for: request, after: failure)
            if let reason = send.stopReason { throw reason }
            return .open
        } catch {
            outcome = .failure(described(error, .transport))
            return .closed
        }
    }
}
