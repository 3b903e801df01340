import Foundation
import Pipeline

/// What a failed refresh says about the token: a pure verdict.
enum RefreshFailure: Sendable, Hashable {
    /// The server will not renew it: the login is over.
    case rejected
    /// Something went wrong on the way. The token may be as good as before.
    case broken

    init(_ error: any Error) {
        switch error {
        case is RefreshRejection:
            self = .rejected
        case let error as NetworkError where error.code == .unacceptableStatus:
            self = Self.isRejection(error) ? .rejected : .broken
        default:
            self = .broken
        }
    }

    /// The statuses with which token endpoints reject (RFC 6749, section 5.2; RFC 6750, section 3.1), unless the answer says
    /// that it is not for good.
    private static func isRejection(_ error: NetworkError) -> Bool {
        guard let status = error.statusCode, [400, 401, 403].contains(status) else { return false }
        struct Answer: Decodable { var error: String? }
        let answer = try? error.payload(as: Answer.self)
        return !["temporarily_unavailable", "server_error", "slow_down"].contains(answer?.error)
    }
}
