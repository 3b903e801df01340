/// Somebody who is told what sends do and why.
///
/// Monitors are given to a network (``NetworkConfiguration/monitors``); an action that is also a monitor hears the sends it
/// takes part in. Logs, traces and metrics are built on this. The order of events is kept within a send.
public protocol EventMonitor: Sendable {
    /// Takes notice of an event. It runs where the event happens and must not block.
    func record(_ event: SendEvent)
}

/// Something that happened in a send.
public struct SendEvent: Sendable {
    /// The send.
    public let id: SendID

    /// When it happened, on the clock of the network's time source.
    public let time: Duration

    /// How long the send had been under way.
    public let age: Duration

    /// What happened.
    public let kind: Kind

    /// What can happen. More will come: leave room for it with `default`.
    public enum Kind: Sendable {
        /// The send began; its type, and the request as it was built.
        case began(NetworkRequest)
        /// An action let the request pass; the request as it left it.
        case passed(action: String, NetworkRequest)
        /// An action answered by itself.
        case responded(action: String, NetworkResponse)
        /// An action's hook threw.
        case threw(action: String, NetworkError)
        /// The send waits, since no route leads to its host; what the network is like.
        case waitingForNetwork(NetworkPath)
        /// An attempt began; its number, and the request as it is sent.
        case attemptBegan(Int, NetworkRequest)
        /// The head of a response is in.
        case responseBegan(NetworkResponse)
        /// An attempt ended: the body is whole or left a stream, or the attempt failed.
        case attemptEnded(Int, Outcome)
        /// An action was told the outcome and delivered one.
        case delivered(action: String, NetworkResponse)
        /// An action asked for a retry, which follows after the pause.
        case retrying(action: String, after: Duration)
        /// A retry that an action asked for was refused.
        case retryRefused(action: String, RetryRefusal)
        /// A redirect is followed.
        case redirected(status: HTTPStatus, to: NetworkRequest)
        /// An interim response came (RFC 9110, section 15.2); the final one follows.
        case interimResponse(HTTPStatus, HTTPHeaders)
        /// Bytes have moved since the attempt began; told a few times a second at most, and at the end.
        case progress(AttemptProgress)
        /// A download goes on from this byte, with those before it from an earlier attempt or an earlier send; and how many there
        /// are in all, if that is known. It is told when the head is in. What ``progress(_:)`` counts begins there.
        case resumed(at: Int, of: Int?)
        /// A body that was a stream when its head came has ended: its trailers, and the metrics of the whole attempt.
        case transferEnded(trailers: HTTPHeaders, metrics: AttemptMetrics?)
        /// A transport did something worth knowing on its own: sent again over a fresh connection, for one.
        case transport(String)
        /// A host does not satisfy the pins asked of it. The value tells whether it was refused for that.
        case pinViolation(PinViolation)
        /// An action broke a rule.
        case misuse(action: String, String)
        /// An action has something to tell: a decision with its reason, above all. A text, or a value of the action's own
        /// type for monitors that know it; its description is for those that do not, and holds no secret.
        case note(action: String, any Sendable & CustomStringConvertible)
        /// The body of a response that was left a stream came to its end.
        case streamEnded(BodyStream.End)
        /// The send ended. Nothing follows, but the end of a stream.
        case ended(Outcome)
    }
}
