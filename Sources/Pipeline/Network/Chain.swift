/// One send's way through its actions, to the transport and back.
///
/// It is a loop over one list of stops. The way in visits them in order, until one answers, one fails, or the transport is
/// reached. The way out visits those that let the request pass, in reverse, until all are told or one asks for a retry; then
/// the way in begins again, at that one.
///
/// What does not wait is not inlined into what does: an asynchronous function keeps room for all its temporaries on the heap,
/// and these values are large.
struct Chain {
    private let send: RunningSend
    private let context: SendContext
    private let visits: [Visit]
    private var frames: [Frame] = []
    private var retries = 0

    /// The request as the way in has made it so far.
    private var request: NetworkRequest
    /// The outcome as the way out has made it so far.
    private var outcome = Self.noOutcome

    /// The last retry that was refused, for the final error.
    private(set) var refusal: RetryRefusal?

    /// Whether an attempt can have reached a server, for the final error. Actions are told of the last attempt alone: one that
    /// was repeated before was repeated safely.
    private(set) var mayHaveReached = false

    /// What a stop remembers of the present pass.
    private struct Frame {
        /// The request as it first reached the action: what a retry starts from.
        var entered: NetworkRequest
        /// The request as the action passed it on: what its response-completed is shown.
        var passedOn: NetworkRequest
    }

    /// Stands in until there is an outcome; nobody is shown it.
    private static let noOutcome = Outcome.failure(NetworkError(.invalidRequest))

    init(_ send: RunningSend, context: SendContext, visits: [Visit], request: NetworkRequest) {
        self.send = send
        self.context = context
        self.visits = visits
        self.request = request
        frames.reserveCapacity(visits.count)
    }

    mutating func run() async -> Outcome {
        var start: Int? = 0
        while let position = start {
            let passed = await wayIn(from: position)
            start = await wayOut(passed: passed)
        }
        return outcome
    }

    // MARK: The way in

    /// Visits the actions from a position on, then the transport.
    ///
    /// - Returns: How many actions let the request pass.
    private mutating func wayIn(from start: Int) async -> Int {
        send.enter(.requestWillBegin)
        frames.removeSubrange(start...)
        for position in start..<visits.count {
            guard arrive(at: position, isAgain: position == start) else { return position }
            guard let action = visits[position].willBegin else { continue }
            do {
                let decision = try await action.requestWillBegin(request)
                guard follow(decision, at: position) else { return position }
            } catch {
                fail(error, at: position)
                return position
            }
        }
        await attempt()
        return visits.count
    }

    /// Remembers the request as it reaches an action.
    ///
    /// - Parameter isAgain: Whether the way in begins here, so that the request knows its pass.
    /// - Returns: Whether the send may go on.
    @inline(never)
    private mutating func arrive(at position: Int, isAgain: Bool) -> Bool {
        if let reason = send.stopReason {
            outcome = .failure(described(reason, .build))
            return false
        }
        if !isAgain { request.pass = 1 }
        if visits[position] === Visit.redirects { context.visit(request.url) }
        frames.append(Frame(entered: request, passedOn: request))
        return true
    }

    /// Does what an action decided about the request.
    ///
    /// - Returns: Whether it let the request pass.
    @inline(never)
    private mutating func follow(_ decision: RequestDecision, at position: Int) -> Bool {
        switch decision {
        case .proceed(let changed):
            request = stamped(changed, pass: request.pass)
            frames[position].passedOn = request
            context.report(.passed(action: visits[position].name, request))
            return true
        case .respond(var response):
            response.request = stamped(response.request, pass: request.pass)
            outcome = .success(response)
            context.report(.responded(action: visits[position].name, response))
            return false
        }
    }

    private mutating func attempt() async {
        guard let origin = checkedOrigin() else { return }
        var barrier = barrier(before: origin)
        if barrier == .wait { barrier = await sitOutBarrier(hasFailed: false) }
        guard barrier == .open else { return }
        barrier = await makeAttempt(to: origin)
        while barrier == .wait {
            guard request.body.canBeSent, await sitOutBarrier(hasFailed: true) == .open, let origin = checkedOrigin()
            else {
                return
            }
            barrier = await makeAttempt(to: origin)
        }
    }

    /// - Returns: What stood in the way of the attempt, if it failed for want of a network.
    @inline(never)
    private mutating func makeAttempt(to origin: Origin) async -> NetworkGate.Barrier {
        let number = beginAttempt()
        let attempt = Attempt(request, to: origin, send: send, context: context)
        outcome = await attempt.run { [visits, context, request] response in
            context.report(.responseBegan(response))
            for visit in visits { visit.responseBegan?.responseBegan(response, for: request) }
        }
        let barrier = barrierInOutcome()
        noteReach()
        context.report(.attemptEnded(number, outcome))
        return barrier
    }

    // MARK: Without a network

    private var gate: NetworkGate { NetworkGate(request.offlinePolicy, send.core) }

    /// What stands between a request and its attempt. If that ends the send, it is the outcome.
    @inline(never)
    private mutating func barrier(before origin: Origin) -> NetworkGate.Barrier {
        let verdict = gate.verdict(on: origin)
        if case .closed(let path) = verdict { outcome = .failure(described(NetworkError(offline: path), .transport)) }
        return verdict.barrier
    }

    /// What stood in the way of an attempt that failed. If there was something, that is the outcome.
    @inline(never)
    private mutating func barrierInOutcome() -> NetworkGate.Barrier {
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
    private mutating func sitOutBarrier(hasFailed: Bool) async -> NetworkGate.Barrier {
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

    @inline(never)
    private mutating func noteReach() {
        switch outcome {
        case .failure(let error) where error.reach == .no: return
        case .success(let response) where RedirectDecision.sendsElsewhere(response.status, request.method): return
        default: mayHaveReached = true
        }
    }

    /// Checks the request.
    ///
    /// - Returns: Where it goes; `nil` if there must be no attempt.
    @inline(never)
    private mutating func checkedOrigin() -> Origin? {
        if let reason = send.stopReason {
            outcome = .failure(described(reason, .transport))
            return nil
        }
        do {
            let origin = try request.check()
            request.withholdSecrets(from: origin)
            return origin
        } catch {
            outcome = .failure(described(error, .build))
            return nil
        }
    }

    /// Tells everyone entered that an attempt begins.
    ///
    /// - Returns: The number of the attempt.
    @inline(never)
    private mutating func beginAttempt() -> Int {
        send.enter(.transferring)
        context.visit(request.url)
        let number = context.beginAttempt()
        context.report(.attemptBegan(number, request))
        for visit in visits { visit.began?.requestBegan(request) }
        return number
    }

    // MARK: The way out

    /// Tells the outcome to the actions that let the request pass, innermost first.
    ///
    /// - Returns: Where the way in begins again, if an action asked for a retry and may have it.
    private mutating func wayOut(passed: Int) async -> Int? {
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
    private mutating func replaceOutcome(with new: Outcome) {
        if let stream = outcome.stream, stream !== new.stream { outcome.discard() }
        outcome = new
    }

    // MARK: What everybody sees

    private func stamped(_ request: NetworkRequest, pass: Int) -> NetworkRequest {
        var request = request
        request.stamp = context
        request.pass = pass
        return request
    }

    /// Makes what an action threw the outcome.
    @inline(never)
    private mutating func fail(_ error: any Error, at position: Int) {
        let visit = visits[position]
        let failure = described(error, .action(visit.name), frames[position].passedOn)
        context.report(.threw(action: visit.name, failure))
        replaceOutcome(with: .failure(failure))
    }

    private func described(_ error: any Error, _ step: NetworkError.Step) -> NetworkError {
        described(error, step, request)
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
