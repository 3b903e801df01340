/// The way out.
extension Chain {
    /// Tells the outcome to the actions that let the request pass, innermost first.
    ///
    /// - Returns: Where the way in begins again, if an action asked for a retry and may have it.
    mutating func wayOut() async -> Int? {
        while let frame = frames.popLast() {
            let stop = itinerary.stops[frame.position]
            guard let action = stop.completed else { continue }
            send.enter(.responseCompleted)
            failIfStopped(at: stop)
            do {
                let decision = try await action.responseCompleted(outcome, for: frame.passedOn)
                guard let pause = follow(decision, at: stop, frame) else { continue }
                if await sit(out: pause, at: stop, frame) { return frame.position }
            } catch {
                fail(error, at: stop, with: frame.passedOn)
            }
        }
        failIfStopped(at: nil)
        return nil
    }

    /// Does what an action decided about the outcome.
    ///
    /// - Returns: The pause before the retry, if the action asked for one and may have it.
    @inline(never)
    private mutating func follow(_ decision: consuming ResponseDecision, at stop: Visit, _ frame: Frame) -> Duration? {
        switch consume decision {
        case .deliver(var response):
            if response.request.stamp !== context { response.request.stamp = context }
            replaceOutcome(with: .success(response))
            context.report(.delivered(action: stop.name, response))
            return nil
        case .retry(let pause, let replacement):
            let next = replacement ?? frame.entered
            if let refusal = refusal(of: next, after: pause, by: stop) {
                if refusal != .sendEnded { self.refusal = refusal }
                context.report(.retryRefused(action: stop.name, refusal))
                return nil
            }
            outcome.discard()
            outcome = Self.noOutcome
            if stop !== Visit.redirects {  // A redirect is no retry, and has told of itself.
                retries += 1
                context.report(.retrying(action: stop.name, after: pause))
            }
            request = stamped(next, pass: frame.entered.pass + 1)
            return pause
        }
    }

    /// Why a retry cannot be carried out, if it cannot.
    private func refusal(of request: NetworkRequest, after pause: Duration, by stop: Visit) -> RetryRefusal? {
        if send.stopReason != nil { return .sendEnded }
        if !request.body.canBeSent { return .bodyNotReplayable }
        let limit = send.core.configuration.maximumRetries
        if stop !== Visit.redirects, retries >= limit { return .tooManyRetries(limit) }
        if let left = context.timeLeft, pause > .zero, pause >= left {
            return .pauseOutlastsDeadline(pause: pause, left: left)
        }
        return nil
    }

    /// Pauses.
    ///
    /// - Returns: Whether the pause went by; if something ended it early, that is the outcome.
    private mutating func sit(out pause: Duration, at stop: Visit, _ frame: Frame) async -> Bool {
        guard pause > .zero else { return true }
        send.enter(.pausing)
        do {
            try await context.time.sleep(for: pause, purpose: .retry)
            return true
        } catch {
            outcome = .failure(described(error, .action(stop.name), frame.passedOn))
            return false
        }
    }

    /// A success that came too late is none.
    @inline(never)
    private mutating func failIfStopped(at stop: Visit?) {
        guard case .success(let response) = outcome, let reason = send.stopReason else { return }
        let step = stop.map { NetworkError.Step.action($0.name) } ?? .status
        replaceOutcome(with: .failure(described(reason, step, response.request)))
    }

    /// Discards the body of an outcome that another takes the place of, unless that one carries it on.
    mutating func replaceOutcome(with new: consuming Outcome) {
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
