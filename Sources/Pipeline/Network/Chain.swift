/// One send's way through its actions, to the transport and back.
///
/// It is a loop over one list of stops. The way in visits them in order, until one answers, one fails, or the transport is
/// reached. The way out visits those that let the request pass, in reverse, until all are told or one asks for a retry; then
/// the way in begins again, at that one.
struct Chain {
    private let send: RunningSend
    private let context: SendContext
    private let visits: [Visit]
    private var frames: [Frame] = []
    private var retries = 0

    /// The last retry that was refused, for the final error.
    private(set) var refusal: RetryRefusal?

    /// What a stop remembers of the present pass.
    private struct Frame {
        /// The request as it first reached the action: what a retry starts from.
        var entered: NetworkRequest
        /// The request as the action passed it on: what its response-completed is shown.
        var passedOn: NetworkRequest
    }

    init(_ send: RunningSend, context: SendContext, visits: [Visit]) {
        self.send = send
        self.context = context
        self.visits = visits
        frames.reserveCapacity(visits.count)
    }

    mutating func run(_ request: NetworkRequest) async -> Outcome {
        var entry = Entry(position: 0, request: request)
        while true {
            let (outcome, passed) = await wayIn(entry)
            switch await wayOut(outcome, passed: passed) {
            case .again(let next): entry = next
            case .end(let outcome): return outcome
            }
        }
    }

    /// Where the way in begins, and with which request.
    private struct Entry {
        var position: Int
        var request: NetworkRequest
    }

    private enum Turn {
        case again(Entry)
        case end(Outcome)
    }

    // MARK: The way in

    /// Visits the actions from `entry` on, then the transport.
    ///
    /// - Returns: The outcome, and how many actions let the request pass.
    private mutating func wayIn(_ entry: Entry) async -> (Outcome, passed: Int) {
        send.enter(.requestWillBegin)
        frames.removeSubrange(entry.position...)
        var request = entry.request
        for position in entry.position..<visits.count {
            if let reason = send.stopReason { return (.failure(described(reason, .build, request)), position) }
            let visit = visits[position]
            if position > entry.position { request.pass = 1 }
            if visit === Visit.redirects { context.visit(request.url) }
            let entered = request
            if let action = visit.willBegin {
                do {
                    switch try await action.requestWillBegin(request) {
                    case .proceed(let changed):
                        request = stamped(changed, pass: entered.pass)
                        context.report(.passed(action: visit.name, request))
                    case .respond(var response):
                        response.request = stamped(response.request, pass: entered.pass)
                        context.report(.responded(action: visit.name, response))
                        return (.success(response), position)
                    }
                } catch {
                    return (.failure(thrown(error, by: visit, for: request)), position)
                }
            }
            frames.append(Frame(entered: entered, passedOn: request))
        }
        return (await attempt(request), visits.count)
    }

    private mutating func attempt(_ request: NetworkRequest) async -> Outcome {
        if let reason = send.stopReason { return .failure(described(reason, .transport, request)) }
        do {
            try request.check()
        } catch {
            return .failure(described(error, .build, request))
        }
        send.enter(.transferring)
        context.visit(request.url)
        let number = context.beginAttempt()
        context.report(.attemptBegan(number, request))
        for visit in visits { visit.began?.requestBegan(request) }
        let outcome = await Attempt(request, send: send, context: context).run { response in
            context.report(.responseBegan(response))
            for visit in visits { visit.responseBegan?.responseBegan(response, for: request) }
        }
        context.report(.attemptEnded(number, outcome))
        return outcome
    }

    // MARK: The way out

    /// Tells the outcome to the actions that let the request pass, innermost first.
    private mutating func wayOut(_ first: Outcome, passed: Int) async -> Turn {
        var outcome = first
        for position in (0..<passed).reversed() {
            let visit = visits[position]
            guard let action = visit.completed else { continue }
            send.enter(.responseCompleted)
            outcome = unlessStopped(outcome, at: visit)
            do {
                switch try await action.responseCompleted(outcome, for: frames[position].passedOn) {
                case .deliver(var response):
                    response.request.stamp = context
                    outcome = replace(outcome, with: .success(response))
                    context.report(.delivered(action: visit.name, response))
                case .retry(let pause, let replacement):
                    if let refusal = refusal(of: replacement ?? frames[position].entered, after: pause, by: visit) {
                        if refusal != .sendEnded { self.refusal = refusal }
                        context.report(.retryRefused(action: visit.name, refusal))
                        continue
                    }
                    outcome.discard()
                    if visit !== Visit.redirects {  // A redirect is no retry, and has told of itself.
                        retries += 1
                        context.report(.retrying(action: visit.name, after: pause))
                    }
                    if let failure = await interruption(of: pause, by: visit, for: frames[position].passedOn) {
                        outcome = .failure(failure)
                        continue
                    }
                    let pass = frames[position].entered.pass + 1
                    let request = stamped(replacement ?? frames[position].entered, pass: pass)
                    return .again(Entry(position: position, request: request))
                }
            } catch {
                let failure = thrown(error, by: visit, for: frames[position].passedOn)
                outcome = replace(outcome, with: .failure(failure))
            }
        }
        return .end(unlessStopped(outcome, at: nil))
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
    /// - Returns: What ended the pause early, if something did.
    private func interruption(of pause: Duration, by visit: Visit, for request: NetworkRequest) async -> NetworkError? {
        guard pause > .zero else { return nil }
        send.enter(.pausing)
        do {
            try await context.time.sleep(for: pause, purpose: .retry)
            return nil
        } catch {
            return described(error, .action(visit.name), request)
        }
    }

    /// A success that came too late is none.
    private func unlessStopped(_ outcome: Outcome, at visit: Visit?) -> Outcome {
        guard case .success(let response) = outcome, let reason = send.stopReason else { return outcome }
        let step = visit.map { NetworkError.Step.action($0.name) } ?? .status
        return replace(outcome, with: .failure(described(reason, step, response.request)))
    }

    /// Discards the body of an outcome that another takes the place of, unless that one carries it on.
    private func replace(_ old: Outcome, with new: Outcome) -> Outcome {
        if let stream = old.stream, stream !== new.stream { old.discard() }
        return new
    }

    // MARK: What everybody sees

    private func stamped(_ request: NetworkRequest, pass: Int) -> NetworkRequest {
        var request = request
        request.stamp = context
        request.pass = pass
        return request
    }

    private func thrown(_ error: any Error, by visit: Visit, for request: NetworkRequest) -> NetworkError {
        let failure = described(error, .action(visit.name), request)
        context.report(.threw(action: visit.name, failure))
        return failure
    }

    private func described(_ error: any Error, _ step: NetworkError.Step, _ request: NetworkRequest) -> NetworkError {
        NetworkError(error, in: send, step: step, request: request, attempts: context.attempt)
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
