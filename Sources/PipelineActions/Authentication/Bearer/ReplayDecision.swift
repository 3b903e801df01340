/// What follows when the server refused an answer to a request that carried a token: a pure verdict.
///
/// A send is repeated once at most, never with a token that the server would take for the same, and never with one that
/// belongs to somebody else. An answer says something about the token that the request carried and nothing about the one
/// that is current by now.
enum ReplayDecision: Sendable {
    /// The answer goes to the caller; why.
    case deliver(String)
    /// The request goes out again with the current token.
    case resend(TokenLease)
    /// The token has to be renewed first.
    case refresh
    /// The token has been refused for good; what the server said.
    case fail(any Error)

    /// - Parameters:
    ///   - carried: The token that the request carried.
    ///   - current: What is known about the scope by now.
    ///   - hasReplayed: Whether the send has been repeated already.
    ///   - canRefresh: Whether there is a way to renew tokens.
    init(carried: TokenLease, current: TokenLedger.Entry, hasReplayed: Bool, canRefresh: Bool) {
        guard !hasReplayed else {
            self = .deliver("the send was repeated once already")
            return
        }
        guard current.mark.epoch == carried.mark.epoch else {
            self = .deliver(Self.otherUser)
            return
        }
        switch current.standing {
        case .rejected(let error):
            self = .fail(error)
        case .unread, .absent:
            self = .deliver("there is no token any more")
        case .present(let token) where current.mark != carried.mark:
            self =
                token.isSameCredential(as: carried.token)
                ? .deliver(Self.sameToken)
                : .resend(TokenLease(scope: carried.scope, token: token, mark: current.mark))
        case .present:
            self = canRefresh ? .refresh : .deliver("there is no way to renew the token")
        }
    }

    static let otherUser = "the token was set anew or removed meanwhile"
    static let sameToken = "the renewed token is the same"
}
