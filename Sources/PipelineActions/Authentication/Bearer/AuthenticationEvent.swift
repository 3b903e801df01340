public import Pipeline

/// Something about tokens that the application should know, since no send can tell it: who is logged out, above all.
///
/// More will come: leave room for it with `default`. No event holds a token.
public enum AuthenticationEvent: Sendable, CustomStringConvertible {
    /// The token of a scope was renewed.
    case refreshed(TokenScope)
    /// The server refused to renew the token of a scope. The token is removed: somebody has to log in again.
    case rejected(TokenScope, NetworkError)
    /// A token was renewed and is in use, but the store could not keep it, or could not remove one that was rejected.
    case notStored(TokenScope, NetworkError)

    /// The scope that it is about.
    public var scope: TokenScope {
        switch self {
        case .refreshed(let scope), .rejected(let scope, _), .notStored(let scope, _): scope
        }
    }

    public var description: String {
        switch self {
        case .refreshed(let scope): "the token for \(scope) was renewed"
        case .rejected(let scope, let error): "the token for \(scope) was rejected: \(error)"
        case .notStored(let scope, let error): "the store failed for the token of \(scope): \(error)"
        }
    }
}

/// What a ``BearerTokenAction`` decided about a request or an answer, as a note among the events of the send. It holds no
/// token. More will come: leave room for it with `default`.
public enum AuthenticationNote: Sendable, Hashable, CustomStringConvertible {
    /// The token of a scope was attached. The number rises with every token that takes another's place.
    case attached(TokenScope, generation: Int)
    /// No token was attached; why.
    case skipped(String)
    /// The send set off a refresh.
    case refreshing(TokenScope, because: String)
    /// The send waits for a refresh that another has set off.
    case waiting(TokenScope)
    /// The request goes out once more, with the token that was renewed meanwhile.
    case resending(TokenScope, generation: Int)
    /// The answer was refused and is delivered all the same; why.
    case delivered(String)

    public var description: String {
        switch self {
        case .attached(let scope, let generation): "token \(generation) for \(scope) attached"
        case .skipped(let reason): "no token attached: \(reason)"
        case .refreshing(let scope, let reason): "renews the token for \(scope): \(reason)"
        case .waiting(let scope): "waits for the token for \(scope) to be renewed"
        case .resending(let scope, let generation): "sends again with token \(generation) for \(scope)"
        case .delivered(let reason): "passes the refused answer on: \(reason)"
        }
    }
}
