public import Pipeline

/// Has requests sent only to servers whose verified certificates hold the pins of their hosts.
///
///     let policy = PinningPolicy([try PinningRule("api.example.com", keys: ["sha256/…", "sha256/…"])])
///     let network = Network(baseURL: api, actions: [.pinning(policy)])
///
/// It gives each request the whole policy, in ``/Pipeline/TLSPolicy/pins``. The transport judges by it, during the handshake and
/// before the first byte of the request leaves, on every connection, new or used before, and on every hop by the rule of
/// that hop's own host. What does not hold a pin is a `pin-mismatch` error that lists the hashes seen; its cause is a
/// ``/Pipeline/PinViolation`` with the chain. A transport that cannot judge refuses with `pinning-unsupported`.
///
/// **Where it belongs:** in the send zone, where it stands by itself: a redirect takes the policy along.
///
/// **What it may send twice:** nothing; it never asks for a retry, and a mismatch is none of the failures to retry.
///
/// **What it never does:** loosen anything. The certificate is verified as ever; pins come on top. What a request asks of
/// TLS itself is kept, and where it names pins for the same pattern, those count. A policy that only the transport has
/// (`CurlTransport.Configuration.tls`) does not count for requests that have one, so its roots belong into the
/// network's configuration.
///
/// **How to test:** a transport in memory makes no handshake; what can be looked at is the policy in `request.tls`. To see pins
/// refuse, ask a server of your own with a certificate that is not pinned, and for trying them out with the real ones
/// there is ``PinningPolicy/reportingOnly()``.
public struct PinningAction: RequestWillBeginAction, EventMonitor {
    private let pins: PinRules
    private let report: (@Sendable (PinViolation) -> Void)?
    private let reported = Guarded<Set<Int>>([])

    /// How many violations are remembered, so that each is reported once. Beyond it they are reported anew.
    private static let memory = 1000

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - report: Called with what did not satisfy the policy, refused or not: once for each host and chain. It is called on
    ///     the task of a send and must not block.
    public init(_ policy: PinningPolicy, report: (@Sendable (PinViolation) -> Void)? = nil) {
        pins = policy.pinRules
        self.report = report
    }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [IgnoresPinning.self] }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard !request.ignoresPinning else {
            let host = Origin(request.url)?.host ?? ""
            request.context.report(.note(action: "PinningAction", PinningDecision.ignored(host: host)))
            return .proceed(request)
        }
        var request = request
        var tls = request.tls ?? TLSPolicy()
        tls.pins = tls.pins == PinRules() ? pins : pins.merging(tls.pins)
        request.tls = tls
        return .proceed(request)
    }

    public func record(_ event: SendEvent) {
        guard let report, case .pinViolation(let violation) = event.kind, isNew(violation) else { return }
        report(violation)
    }

    private func isNew(_ violation: PinViolation) -> Bool {
        reported.withLock { reported in
            if reported.count >= Self.memory { reported = [] }
            return reported.insert(violation.hashValue).inserted
        }
    }
}

extension Action where Self == PinningAction {
    /// Has requests sent only to servers that hold pins; see ``PinningAction``.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - report: Called with what did not satisfy the policy, refused or not: once for each host and chain.
    public static func pinning(
        _ policy: PinningPolicy,
        report: (@Sendable (PinViolation) -> Void)? = nil
    ) -> PinningAction {
        PinningAction(policy, report: report)
    }
}
