import Dispatch
public import Pipeline

/// One request with all that sending it takes: where, how often it is tried, and how it is called off.
///
///     let users = RequestService(ListUsers(), on: network, retries: 2)
///     users.send { [weak self] result in self?.show(result) }     // and, when the screen goes away:
///     users.cancel()
///
/// It can be sent again and again, also while it is under way, and after ``cancel()``. It is safe to use from any thread.
///
/// **How it retries:** as ``RetryAction`` does, with the pauses and the number that it was given: what may be sent twice, after
/// failures that may pass. If the network or the request has a ``RetryAction``, that one works by the policy of the service, in
/// its place among the actions; where there is none these sends get one, innermost in the hop zone.
///
/// **What it does not do:** cancel anything when it is let go of. Put the handle of a send into a `SendBag` for that.
public final class RequestService<R: Request>: Sendable {
    private let request: R
    private let network: Network
    private let policy: RetryPolicy
    private let calls = Guarded<[ObjectIdentifier: ServiceCall]>([:])

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - request: What is sent.
    ///   - network: Where it is sent.
    ///   - retries: How often it is tried again after the first attempt; not at all unless told otherwise.
    ///   - backoff: The pauses between attempts where the server asks for none; 2, 4 and 8 seconds unless told otherwise.
    /// - Precondition: `retries` is not negative.
    public convenience init(
        _ request: R,
        on network: Network,
        retries: Int = 0,
        backoff: Backoff = .twoFourEight
    ) {
        precondition(retries >= 0, "a service cannot retry \(retries) times")
        var policy = RetryPolicy.standard
        policy.maxAttempts = retries + 1
        policy.backoff = backoff
        policy.throttlingBackoff = backoff
        self.init(request, on: network, policy: policy)
    }

    /// Creates a service that retries by a policy of one's own.
    ///
    /// - Parameters:
    ///   - request: What is sent.
    ///   - network: Where it is sent.
    ///   - policy: What is repeated, how often, and after which pause.
    public init(_ request: R, on network: Network, policy: RetryPolicy) {
        self.request = request
        self.network = network
        self.policy = policy
    }

    /// Sends the request and returns what the server answered.
    ///
    /// Cancelling the calling task cancels this send alone.
    ///
    /// - Throws: `NetworkError`, as the network does; `cancelled` after ``cancel()``.
    public func send() async throws(NetworkError) -> R.Response {
        let call = ServiceCall()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(call) { network, request, finish in
                    network.send(request, on: .global()) { result in
                        finish()
                        continuation.resume(returning: result)
                    }
                }
            }
        } onCancel: {
            call.cancel()
        }
        return try result.get()
    }

    /// Sends the request and calls back on the main actor.
    ///
    /// - Parameter completion: Called exactly once, on the main queue; after ``cancel()`` only with a cancelled error.
    /// - Returns: A handle that cancels this send alone.
    @discardableResult
    public func send(
        completion: @escaping @MainActor @Sendable (Result<R.Response, NetworkError>) -> Void
    ) -> SendHandle {
        start(ServiceCall()) { network, request, finish in
            network.send(request) { result in
                finish()
                completion(result)
            }
        }
    }

    /// Cancels all sends of the service that are under way. Each ends with a `cancelled` error and is not tried again. The service
    /// can be sent anew.
    public func cancel() {
        let running = calls.withLock { Array($0.values) }
        for call in running { call.cancel() }
    }

    /// How many sends of the service are under way.
    public var sendsInFlight: Int { calls.withLock { $0.count } }

    @discardableResult
    private func start(
        _ call: ServiceCall,
        _ send: (Network, ConfiguredRequest<R>, @escaping @Sendable () -> Void) -> SendHandle
    ) -> SendHandle {
        let id = ObjectIdentifier(call)
        calls.withLock { $0[id] = call }
        let hasRetries = (network.actions + request.actions).contains { $0.isOrContainsRetries }
        let network = hasRetries ? network : network.adding(RetryAction(policy, budget: nil))
        let request = request.configured { [policy] in $0.retryPolicy = policy }
        let handle = send(network, request) { [calls] in calls.withLock { $0[id] = nil } }
        call.adopt(handle)
        return handle
    }
}

extension Action {
    fileprivate var isOrContainsRetries: Bool {
        if let group = self as? ActionGroup { return group.actions.contains { $0.isOrContainsRetries } }
        return self is RetryAction
    }
}
