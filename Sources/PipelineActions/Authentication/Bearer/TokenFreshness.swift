import Foundation

/// How near a token is to its end, by this machine's wall clock: a pure verdict.
///
/// The clock of this machine and that of the server differ. So a token is renewed some time ahead; one that seems to have
/// expired before it came tells only that the clocks disagree, and is used until the server refuses it; and what the server
/// refuses is renewed whatever the clock says.
enum TokenFreshness: Sendable, Hashable {
    /// It is used as it is.
    case fresh
    /// It is to be renewed, and works until then.
    case due
    /// It is to be renewed, and does not work any more.
    case expired

    /// - Parameters:
    ///   - token: The token.
    ///   - now: The wall-clock time.
    ///   - margin: How long before its end a token is renewed. A token whose whole life is short is renewed in the last
    ///     quarter of it, or it would be renewed for every request.
    init(of token: AccessToken, at now: Date, renewingAhead margin: Duration) {
        guard let end = token.expiresAt else {
            self = .fresh
            return
        }
        var ahead = margin.inSeconds
        if let start = token.receivedAt {
            guard end > start else {
                self = .fresh
                return
            }
            ahead = min(ahead, end.timeIntervalSince(start) / 4)
        }
        let left = end.timeIntervalSince(now)
        self = left > ahead ? .fresh : left > 0 ? .due : .expired
    }
}
