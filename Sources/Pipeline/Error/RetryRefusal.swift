/// Why a retry that an action asked for was not carried out.
public enum RetryRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The body can be read once only, and it has been.
    case bodyNotReplayable
    /// The pause would outlast the total time limit; the pause and the time that was left.
    case pauseOutlastsDeadline(pause: Duration, left: Duration)
    /// The send had made as many retries as ``NetworkConfiguration/maximumRetries`` allows; that number.
    case tooManyRetries(Int)
    /// The send had been cancelled, or its time was up.
    case sendEnded

    public var description: String {
        switch self {
        case .bodyNotReplayable:
            "the body can be read once only"
        case .pauseOutlastsDeadline(let pause, let left):
            "a pause of \(pause) would outlast the \(left) that are left of the total time limit"
        case .tooManyRetries(let limit):
            "the send had made \(limit) retries"
        case .sendEnded:
            "the send had ended"
        }
    }
}
