public import Pipeline

/// Writes a line about each send: what was asked, what came of it, how long it took.
///
///     → 12 GET https://api.example.com/users?…
///     ← 12 200 OK, 1 attempt, 143 ms
///     ✗ 13 decoding-failed in decode for GET https://api.example.com/user: …, 1 attempt, 90 ms
///
/// The number is that of the send. Failures after the chain are there too: a status that is not accepted, an empty body, a
/// value that cannot be read.
///
/// **Where it belongs:** anywhere in the list; it listens to the events of the send and takes no part in the chain.
///
/// **What it never writes:** header fields, queries, credentials, bodies.
public struct LoggingAction: Action, EventMonitor {
    private let write: @Sendable (String) -> Void

    /// Creates the action.
    ///
    /// - Parameter write: Where lines go; to standard error unless told otherwise. It is called where the event happens and
    ///   must not block.
    public init(write: @escaping @Sendable (String) -> Void = StandardError.write) {
        self.write = write
    }

    public func record(_ event: SendEvent) {
        switch event.kind {
        case .began(let request):
            write("→ \(event.id) \(request)")
        case .retrying(let action, let pause) where pause > .zero:
            write("↻ \(event.id) again after \(pause), says \(action)")
        case .retryRefused(let action, let refusal):
            write("↻ \(event.id) \(action) asked for a retry, refused: \(refusal)")
        case .redirected(let status, let next):
            write("↪ \(event.id) \(status.code) to \(next)")
        case .misuse(let action, let rule):
            write("! \(event.id) \(action) \(rule)")
        case .ended(.success(let response)):
            write("← \(event.id) \(response.status)\(summary(event, attempts: response.request.context.attempt))")
        case .ended(.failure(let error)):
            write("✗ \(event.id) \(error)\(summary(event, attempts: error.attempts))")
        default:
            break
        }
    }

    private func summary(_ event: SendEvent, attempts: Int) -> String {
        let (seconds, attoseconds) = event.age.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return ", \(attempts) \(attempts == 1 ? "attempt" : "attempts"), \(milliseconds) ms"
    }
}
