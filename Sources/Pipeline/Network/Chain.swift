/// One send's way through its actions, to the transport and back.
///
/// It is a loop over one list of stops. The way in visits them in order, until one answers, one fails, or the transport is
/// reached. The way out visits those that let the request pass, in reverse, until all are told or one asks for a retry; then
/// the way in begins again, at that one.
///
/// What does not wait is not inlined into what does: an asynchronous function keeps room for all its temporaries on the heap,
/// and these values are large.
struct Chain {
    let send: RunningSend
    let context: SendContext
    let itinerary: Itinerary
    /// The stops that let the request pass and have yet to be told what came of it, outermost first.
    var frames: [Frame] = []
    var retries = 0

    /// The request as the way in has made it so far.
    var request: NetworkRequest
    /// The outcome as the way out has made it so far.
    var outcome = Self.noOutcome

    /// The last retry that was refused, for the final error.
    var refusal: RetryRefusal?

    /// Whether an attempt can have reached a server, for the final error. Actions are told of the last attempt alone: one that
    /// was repeated before was repeated safely.
    private(set) var mayHaveReached = false

    /// What a stop remembers of the present pass, if it hears of the outcome.
    struct Frame {
        let position: Int
        /// The request as it first reached the action: what a retry starts from.
        let entered: NetworkRequest
        /// The request as the action passed it on: what its response-completed is shown.
        let passedOn: NetworkRequest
    }

    /// Stands in until there is an outcome; nobody is shown it.
    static let noOutcome = Outcome.failure(NetworkError(.invalidRequest))

    init(_ send: RunningSend, context: SendContext, itinerary: Itinerary, request: NetworkRequest) {
        self.send = send
        self.context = context
        self.itinerary = itinerary
        self.request = request
        frames.reserveCapacity(itinerary.completedCount)
    }

    mutating func run() async -> Outcome {
        var start: Int? = 0
        while let position = start {
            await wayIn(from: position)
            start = await wayOut()
        }
        return outcome
    }

    // MARK: The way in

    /// Visits the actions from a position on, then the transport.
    private mutating func wayIn(from start: Int) async {
        send.enter(.requestWillBegin)
        for position in start..<itinerary.stops.count {
            let stop = itinerary.stops[position]
            guard arrive(at: stop, isAgain: position == start) else { return }
            guard let action = stop.willBegin else {
                pass(on: request, at: position)
                continue
            }
            do {
                let decision = try await action.requestWillBegin(request)
                guard follow(decision, at: position) else { return }
            } catch {
                fail(error, at: stop, with: request)
                return
            }
        }
        await attempt()
    }

    /// - Parameter isAgain: Whether the way in begins here, so that the request knows its pass.
    /// - Returns: Whether the send may go on.
    @inline(never)
    private mutating func arrive(at stop: Visit, isAgain: Bool) -> Bool {
        if let reason = send.stopReason {
            outcome = .failure(described(reason, .build))
            return false
        }
        if !isAgain { request.pass = 1 }
        if stop === Visit.redirects { context.visit(request.url) }
        return true
    }

    /// Does what an action decided about the request.
    ///
    /// - Returns: Whether it let the request pass.
    @inline(never)
    private mutating func follow(_ decision: consuming RequestDecision, at position: Int) -> Bool {
        let stop = itinerary.stops[position]
        switch consume decision {
        case .proceed(let changed):
            pass(on: stamped(changed, pass: request.pass), at: position)
            context.report(.passed(action: stop.name, request))
            return true
        case .respond(var response):
            response.request = stamped(response.request, pass: request.pass)
            outcome = .success(response)
            context.report(.responded(action: stop.name, response))
            return false
        }
    }

    /// Goes on with a request that a stop lets pass.
    private mutating func pass(on next: consuming NetworkRequest, at position: Int) {
        swap(&request, &next)
        guard itinerary.stops[position].completed != nil else { return }
        frames.append(Frame(position: position, entered: next, passedOn: request))
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
        outcome = await attempt.run { [itinerary, context, request] response in
            context.report(.responseBegan(response))
            for action in itinerary.responseBegan { action.responseBegan(response, for: request) }
        }
        let barrier = barrierInOutcome()
        noteReach()
        context.report(.attemptEnded(number, outcome))
        return barrier
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
        for action in itinerary.began { action.requestBegan(request) }
        return number
    }

    // MARK: What everybody sees

    func stamped(_ request: consuming NetworkRequest, pass: Int) -> NetworkRequest {
        if request.stamp !== context { request.stamp = context }
        request.pass = pass
        return request
    }

    /// Makes what an action threw the outcome.
    @inline(never)
    mutating func fail(_ error: any Error, at stop: Visit, with request: NetworkRequest) {
        let failure = described(error, .action(stop.name), request)
        context.report(.threw(action: stop.name, failure))
        replaceOutcome(with: .failure(failure))
    }

    func described(_ error: any Error, _ step: NetworkError.Step) -> NetworkError {
        described(error, step, request)
    }

    func described(_ error: any Error, _ step: NetworkError.Step, _ request: NetworkRequest) -> NetworkError {
        NetworkError(error, in: send, step: step, request: request, attempts: context.attempt)
    }
}
