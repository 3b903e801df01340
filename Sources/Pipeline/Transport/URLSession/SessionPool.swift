import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sessions of a transport: one for each TLS policy, since that is set for a whole session.
final class SessionPool: Sendable {
    private struct State {
        var sessions: [TLSPolicy?: URLSession] = [:]
        var isShutDown = false
    }

    private let state = Locked(State())
    private let configuration: URLSessionConfiguration
    private let delegate: SessionDelegate

    init(configuration: URLSessionConfiguration, delegate: (any URLSessionTaskDelegate & Sendable)?) {
        self.configuration = configuration
        self.delegate = SessionDelegate(challenges: delegate)
    }

    /// Makes the task of an exchange and lets it run.
    func start(_ exchange: SessionExchange, for request: NetworkRequest) throws(NetworkError) {
        let message = exchange.upload.urlRequest(for: request)
        // A session that was invalidated traps when it is asked for a task, so both happen under the lock.
        let task = state.withLock { state -> URLSessionTask? in
            guard !state.isShutDown else { return nil }
            let session = session(for: request.tls, &state)
            let task = exchange.upload.makeTask(with: message, in: session)
            delegate.adopt(exchange, as: task, of: session)
            return task
        }
        guard let task else {
            throw NetworkError(.transportUnavailable, "the URLSessionTransport was shut down", reach: .no)
        }
        exchange.start(task)
    }

    private func session(for tls: TLSPolicy?, _ state: inout State) -> URLSession {
        if let session = state.sessions[tls] { return session }
        let session = URLSession(
            configuration: configuration.adopting(tls),
            delegate: delegate,
            delegateQueue: delegate.queue
        )
        state.sessions[tls] = session
        return session
    }

    /// Lets go of the sessions when what runs in them has ended. A session keeps its delegate until then.
    func finish() {
        for session in close() { SessionExchange.cancellations.async { session.finishTasksAndInvalidate() } }
    }

    /// Ends all that runs and lets go of the sessions.
    func shutDown() {
        let sessions = close()
        for exchange in delegate.exchanges {
            exchange.fail(NetworkError(.transportUnavailable, "the URLSessionTransport was shut down"))
        }
        for session in sessions { SessionExchange.cancellations.async { session.invalidateAndCancel() } }
    }

    private func close() -> [URLSession] {
        state.withLock { state in
            state.isShutDown = true
            defer { state.sessions = [:] }
            return Array(state.sessions.values)
        }
    }
}
