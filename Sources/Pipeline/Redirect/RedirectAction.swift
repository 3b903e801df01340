import Foundation

/// Follows redirects, as the request's ``RedirectPolicy`` says.
///
/// Every network has it built in, between the send zone and the hop zone: each redirect runs the actions of the hop zone
/// afresh for the new URL, so what they added for the last hop, a token above all, does not go along.
///
/// - Method and body are kept or dropped as RFC 9110, section 15.4, says: 303 turns everything but HEAD into GET, 301 and
///   302 turn POST into GET, 307 and 308 change nothing. A body that can be read once only is not sent again: the redirect
///   is then the response.
/// - Sensitive fields that the request carries itself (``HTTPField/isSensitive``) go on only to the origins they are bound
///   to; that is their own origin unless told otherwise. Once dropped they stay dropped. `Host` and `Origin` are always
///   dropped.
/// - More redirects than allowed, a circle, a step from https to http, and any other scheme are a `redirect-refused` error.
public struct RedirectAction: ResponseCompletedAction {
    /// Creates the action.
    public init() {}

    /// The URLs of the present chain of redirects.
    private enum Visited: ContextKey {
        static let defaultValue: [URL] = []
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        // Most responses are none; they need not know where the send has been.
        guard RedirectDecision.redirects.contains(response.status) else { return .deliver(response) }
        let store = request.context.store
        // Passes are counted from 1 whenever the send comes here from outside: then a new chain of redirects begins.
        let visited = (request.pass == 1 ? [] : store[Visited.self]) + [request.url]
        switch RedirectDecision(on: response, to: request, visited: visited) {
        case .deliver:
            return .deliver(response)
        case .refuse(let reason):
            throw NetworkError(.redirectRefused, reason, response: response)
        case .follow(let next):
            store[Visited.self] = visited
            request.context.report(.redirected(status: response.status, to: next))
            return .retry(after: .zero, with: next)
        }
    }
}
