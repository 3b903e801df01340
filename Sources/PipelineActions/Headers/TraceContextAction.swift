public import Pipeline

/// Tells each server its place in a distributed trace, in the fields `traceparent` and `tracestate` (W3C Trace Context,
/// level 1).
///
/// Each attempt is an operation of its own, with a span of its own, so that retries and redirects can be told apart in the
/// trace. The trace is the one that the request brings in its own `traceparent`; else the application's current one; else a
/// new one for the send. `tracestate` is passed on as it came.
///
///     TraceContextAction { request in tracer.current.map(TraceContext.init) }
///
/// Each attempt's ``TraceContext`` is reported as a note, and afterwards it is in `response.request.traceContext`.
///
/// **Where it belongs:** in the hop zone, after the actions that retry and before signing.
///
/// **What it may send twice:** nothing.
///
/// **What it never does:** record anything; pass on a `traceparent` that cannot be read, or the `tracestate` beside one.
///
/// **How to test:** give it a `SeededGenerator` of `PipelineTesting`, and look at the requests of a `ScriptedTransport`.
public struct TraceContextAction: RequestWillBeginAction {
    private let isSampled: Bool
    private let generator: SharedGenerator
    private let current: @Sendable (NetworkRequest) -> TraceContext?

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - isSampled: Whether traces that begin here may be recorded; they may unless told otherwise. In a trace that began
    ///     elsewhere it is as it was decided there.
    ///   - generator: The source of randomness for identities; the system's unless told otherwise.
    ///   - current: The application's current place in a trace. It is called for each attempt, in the task of the send, which
    ///     sees the task-local values of whoever began it. None unless told otherwise.
    public init(
        isSampled: Bool = true,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        current: @escaping @Sendable (NetworkRequest) -> TraceContext? = { _ in nil }
    ) {
        self.isSampled = isSampled
        self.generator = SharedGenerator(generator)
        self.current = current
    }

    public var zone: ActionZone { .hop }

    /// The trace of a send that has no other.
    private enum Root: ContextKey {
        static let defaultValue: TraceContext? = nil
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        var generator = generator
        let parent =
            request.traceContext ?? current(request)
            ?? request.context.store.value(of: Root.self) {
                TraceContext(isSampled: isSampled, using: &generator)
            }
        let context = parent.child(using: &generator)
        request.traceContext = context
        request.context.report(.note(action: "TraceContextAction", context))
        return .proceed(request)
    }
}

extension Action where Self == TraceContextAction {
    /// Tells each server its place in a distributed trace, which begins with the send unless the request brings one.
    public static var traceContext: TraceContextAction { TraceContextAction() }
}
