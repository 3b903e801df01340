import Pipeline

/// What the shell is told.
enum ExitStatus: Int32, Sendable {
    case acceptable = 0
    /// A redirect that was not followed, or must not be.
    case redirect = 3
    case clientError = 4
    case serverError = 5
    case connection = 6
    case timeLimit = 7
    case security = 8
    /// The command line, or the request it makes, cannot be meant.
    case usage = 9
    case other = 10
    /// 128 and the number of the signal, as shells have it.
    case interrupted = 130

    /// The end of a send that was answered.
    init(_ status: HTTPStatus, accepting accepted: HTTPStatusSet) {
        if accepted.contains(status) {
            self = .acceptable
        } else {
            switch status.code {
            case 300...399: self = .redirect
            case 400...499: self = .clientError
            case 500...599: self = .serverError
            default: self = .other
            }
        }
    }

    /// The end of a send that failed.
    init(_ error: NetworkError) {
        switch error.category {
        case .cancellation: self = .interrupted
        case .connection: self = .connection
        case .timeLimit: self = .timeLimit
        case .security: self = .security
        default:
            switch error.code {
            case .redirectRefused: self = .redirect
            case .invalidRequest, .authenticationRequired: self = .usage
            default: self = .other
            }
        }
    }
}
