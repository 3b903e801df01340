/// The way out.
extension Chain {
    /// Tells the outcome to the actions that let the request pass, innermost first.
    ///
    /// - Returns: Where the way in begins again, if an action asked for a retry and may have it.
    mutating func wayOut(passed: Int) async -> Int? {
        for position in (0..<passed).reversed() {
            guard let action = visits[position].completed else { continue }
            send.enter(.responseCompleted)
            failIfStopped(at: visits[position])
            do {
                let decision = try await action.responseCompleted(outcome, for: frames[position].passedOn)
                guard let pause = follow(decision, at: position) else { continue }
                if await sit(out: pause, at: position) { return position }
            } catch {
                fail(error, at: position)
            }
        }
        failIfStopped(at: nil)
        return nil
    }

    /// Does what an action decided about the outcome.
    ///
    /// - Returns: The pause before the retry, if the action asked for one and may have it.
    @inline(never)
    private mutating func follow(_ decision: ResponseDecision, at position: Int) -> Duration? {
        let visit = visits[position]
        switch decision {
        case .deliver(var response):
            if response.request.stamp !== context { response.request.stamp = context }
            replaceOutcome(with: .success(response))
            context.report(.delivered(action: visit.name, response))
            return nil
        case .retry(let pause, let replacement):
            let entered = frames[position].entered
            if let refusal = refusal(of: replacement ?? entered, after: pause, by: visit) {
                if refusal != .sendEnded { self.refusal = refusal }
                context.report(.retryRefused(action: visit.name, refusal))
                return nil
            }
            outcome.discard()
            outcome = Self.noOutcome
            if visit !== Visit.redirects {  // A redirect is no retry, and has told of itself.
                retries += 1
                context.report(.retrying(action: visit.name, after: pause))
            }
            request = stamped(replacement ?? entered, pass: entered.pass + 1)
            return pause
        }
    }

    /// Why a retry cannot be carried out, if it cannot.
    private func refusal(of request: NetworkRequest, after pause: Duration, by visit: Visit) -> RetryRefusal? {
        if send.stopReason != nil { return .sendEnded }
        if !request.body.canBeSent { return .bodyNotReplayable }
        let limit = send.core.configuration.maximumRetries
        if visit !== Visit.redirects, retries >= limit { return .tooManyRetries(limit) }
        if let left = context.timeLeft, pause > .zero, pause >= left {
            return .pauseOutlastsDeadline(pause: pause, left: left)
        }
        return nil
    }

    /// Pauses.
    ///
    /// - Returns: Whether the pause went by; if something ended it early, that is the outcome.
    private mutating func sit(out pause: Duration, at position: Int) async -> Bool {
        guard pause > .zero else { return true }
        send.enter(.pausing)
        do {
            try await context.time.sleep(for: pause, purpose: .retry)
            return true
        } catch {
            let step = NetworkError.Step.action(visits[position].name)
            outcome = .failure(described(error, step, frames[position].passedOn))
            return false
        }
    }

    /// A success that came too late is none.
    @inline(never)
    private mutating func failIfStopped(at visit: Visit?) {
        guard case .success(let response) = outcome, let reason = send.stopReason else { return }
        let step = visit.map { NetworkError.Step.action($0.name) } ?? .status
        replaceOutcome(with: .failure(described(reason, step, response.request)))
    }

    /// Discards the body of an outcome that another takes the place of, unless that one carries it on.
    mutating func replaceOutcome(with new: Outcome) {
        if let stream = outcome.stream, stream !== new.stream { outcome.discard() }
        outcome = new
    }
}

extension Outcome {
    /// The stream that the outcome carries, in a response or in an error's.
    fileprivate var stream: BodyStream? {
        switch self {
        case .success(let response): response.body.stream
        case .failure(let error): error.response?.body.stream
        }
    }

    /// Lets go of the body that the outcome carries.
    fileprivate func discard() {
        if case .success(let response) = self { response.body.discard() }
    }
}
