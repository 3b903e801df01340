/// What a ``DigestAuthenticationAction`` decided about a 401 response, as it tells event monitors.
///
/// More cases may come: leave room for them with `default`.
public enum DigestNote: Sendable, Hashable, CustomStringConvertible {
    /// The challenge is answered, for the first time, or because the last answer had too old a nonce.
    case answering(DigestAlgorithm, isStale: Bool)
    /// The server has refused user name and password. They are not sent again.
    case refused
    /// There is no challenge among the server's that can be answered.
    case unanswerable
    /// The server has asked too often.
    case tooManyReplies

    public var description: String {
        switch self {
        case .answering(let algorithm, let isStale):
            "answering the \(algorithm) challenge\(isStale ? ", since the nonce was stale" : "")"
        case .refused: "the server refuses user name and password"
        case .unanswerable: "the server offers no digest challenge that can be answered"
        case .tooManyReplies: "the server has asked too often"
        }
    }
}
