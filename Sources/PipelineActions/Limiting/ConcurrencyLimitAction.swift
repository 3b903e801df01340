public import Pipeline

/// Lets so many requests be under way at once, in all and at each host; others wait in line.
///
///     let network = Network(baseURL: api, actions: [RetryAction(), .concurrencyLimit(20, perHost: 6)])
///
/// **Order.** Of those who wait, the request with the highest priority (``/Pipeline/NetworkRequest/priority``) goes next, and
/// among equals the one whose send began first: a retry does not go to the end of the line. A host that is full holds up
/// nobody who wants to go elsewhere. So that nobody waits for ever, a request that was overtaken as often as
/// ``ConcurrencyLimitPolicy/overtakingLimit`` says goes next.
///
/// **Permits.** A request takes a permit before it goes further in and gives it back when its response is complete, whatever
/// came of it; of a response that is left a stream, when the stream ends or the request is sent again. The wait is none of the attempt's time: the total
/// time limit ends it, and so does cancellation, at once. Sends that are made on behalf of a send (``/Pipeline/SendContext/parent``),
/// to refresh a token for one, ride on its permit, so that a send never waits for a permit that it holds itself.
///
/// **Where it belongs:** in the hop zone, further in than a retry, so that a pause before a retry holds no permit, and than a
/// cache, so that answers from memory need none. Each hop of a send takes its own, for the host it goes to.
///
/// **What it may send twice:** nothing; it never asks for a retry.
///
/// **What it never does:** change a request or a response, or end a send by itself. A transport may have a limit of its own,
/// as ``/Pipeline/CurlTransport`` has; this one is shared by all networks that have the same action, and by its copies.
///
/// **How to test:** over a `ConversationTransport`, which shows what has arrived; ``permitsTaken`` and ``waiting`` tell the
/// rest. Nothing here depends on the time.
public struct ConcurrencyLimitAction: RequestWillBeginAction, ResponseCompletedAction {
    /// What a send has of this limit.
    fileprivate enum Holding: Sendable {
        case permit(Permit)
        case ride
    }

    private enum Holdings: ContextKey {
        static let defaultValue: [ObjectIdentifier: Holding] = [:]
    }

    private let pool: PermitPool

    /// Creates an action with permits of its own. Copies share them.
    public init(_ policy: ConcurrencyLimitPolicy) {
        pool = PermitPool(policy)
    }

    /// Creates an action with permits of its own. Copies share them.
    ///
    /// - Parameters:
    ///   - maximumConcurrentRequests: How many requests may be under way in all; any number if `nil`.
    ///   - perHost: How many at one host; any number if `nil`.
    ///   - overtakingLimit: After how many others, who came later and went first, a waiting request goes next.
    public init(maximumConcurrentRequests: Int?, perHost: Int? = nil, overtakingLimit: Int = 20) {
        self.init(
            ConcurrencyLimitPolicy(
                maximumConcurrentRequests: maximumConcurrentRequests,
                maximumConcurrentRequestsPerHost: perHost,
                overtakingLimit: overtakingLimit
            )
        )
    }

    /// The hop zone.
    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [IgnoresConcurrencyLimit.self] }

    /// How many permits are taken.
    public var permitsTaken: Int { pool.taken }

    /// How many requests wait for one.
    public var waiting: Int { pool.waiting }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let context = request.context
        // What belongs to no send would have nobody to give its permit back.
        guard !request.ignoresConcurrencyLimit, !context.isDetached, let host = Origin(request.url) else {
            return .proceed(request)
        }
        if let own = context.store[Holdings.self][id] {
            if own.isInUse { return .proceed(request) }
            // Of a response that was let go of, since the request comes once more. Its stream may take long to end, and the
            // send must not wait for what it holds itself.
            own.giveBack()
        }
        if rides(context) {
            hold(.ride, in: context)
            context.report(.note(action: "ConcurrencyLimitAction", ConcurrencyLimitDecision.rides))
            return .proceed(request)
        }
        let begin = context.time.now
        var hasWaited = false
        let permit = try await pool.permit(
            at: host,
            priority: request.priority ?? .medium,
            start: context.id
        ) { others in
            hasWaited = true
            context.report(
                .note(action: "ConcurrencyLimitAction", ConcurrencyLimitDecision.waits(others: others))
            )
        }
        hold(.permit(permit), in: context)
        if hasWaited {
            let wait = context.time.now - begin
            context.report(.note(action: "ConcurrencyLimitAction", ConcurrencyLimitDecision.goes(after: wait)))
        }
        return .proceed(request)
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        if case .permit(let permit) = request.context.store[Holdings.self][id], permit.isHeld {
            if let stream = outcome.bodyStream {
                permit.giveBack(after: stream)
            } else {
                permit.giveBack()
                hold(nil, in: request.context)
            }
        }
        return .deliver(try outcome.get())
    }

    private var id: ObjectIdentifier { ObjectIdentifier(pool) }

    /// Only the hooks of a send write here, and they never overlap.
    private func hold(_ holding: Holding?, in context: SendContext) {
        context.store[Holdings.self][id] = holding
    }

    /// Whether a send was made on behalf of one that has a permit, or rides itself. Who has begun to ride goes on to the end:
    /// others may wait for it who hold what it would have to wait for.
    private func rides(_ context: SendContext) -> Bool {
        var ancestor = context.parent
        while let sender = ancestor {
            if sender.store[Holdings.self][id]?.carries == true { return true }
            ancestor = sender.parent
        }
        return false
    }
}

extension ConcurrencyLimitAction.Holding {
    fileprivate var carries: Bool {
        if case .permit(let permit) = self { permit.carries } else { true }
    }

    fileprivate var isInUse: Bool {
        if case .permit(let permit) = self { permit.isHeld } else { true }
    }

    fileprivate func giveBack() {
        if case .permit(let permit) = self { permit.giveBack() }
    }
}

extension Outcome {
    /// The stream that an outcome carries, in a response or in an error's.
    fileprivate var bodyStream: BodyStream? {
        switch self {
        case .success(let response): response.body.stream
        case .failure(let error): error.response?.body.stream
        }
    }
}

extension Action where Self == ConcurrencyLimitAction {
    /// Lets so many requests be under way at once; see ``ConcurrencyLimitAction``.
    ///
    /// - Parameters:
    ///   - maximumConcurrentRequests: How many in all; any number if `nil`.
    ///   - perHost: How many at one host; any number if `nil`.
    public static func concurrencyLimit(
        _ maximumConcurrentRequests: Int?,
        perHost: Int? = nil
    ) -> ConcurrencyLimitAction {
        ConcurrencyLimitAction(maximumConcurrentRequests: maximumConcurrentRequests, perHost: perHost)
    }
}
