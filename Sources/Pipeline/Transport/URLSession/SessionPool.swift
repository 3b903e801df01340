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

    /// Whether requests may go through a proxy, or be answered without a connection.
    let mayGoElsewhere: Bool

    init(configuration: URLSessionConfiguration, delegate: (any URLSessionTaskDelegate & Sendable)?) {
        self.configuration = configuration
        mayGoElsewhere = configuration.mayGoElsewhere
        self.delegate = SessionDelegate(challenges: delegate)
    }

    /// Makes the task of an exchange and lets it run.
    func start(_ exchange: SessionExchange, for request: NetworkRequest) throws(NetworkError) {
        let message = exchange.upload.urlRequest(for: request)
        let needsFreshConnection = Self.needsFreshConnection(request, exchange.upload)
        // A session that was invalidated traps when it is asked for a task, so both happen under the lock.
        let task = state.withLock { state -> URLSessionTask? in
            guard !state.isShutDown else { return nil }
            if needsFreshConnection { return startAlone(exchange, message, request.tls) }
            return adopt(exchange, message, in: session(for: request.tls, &state))
        }
        guard let task else {
            throw NetworkError(.transportUnavailable, "the URLSessionTransport was shut down", reach: .no)
        }
        exchange.start(task)
    }

    /// Whether a request must not go over a connection that was used before.
    ///
    /// When such a connection dies before any answer, libcurl sends the request again by itself, whatever its method, and
    /// `URLSession` on Linux cannot give it the body a second time: the server waits for a body that never comes.
    private static func needsFreshConnection(_ request: NetworkRequest, _ upload: SessionUpload) -> Bool {
        #if canImport(Darwin)
            false
        #else
            !request.method.isIdempotent || !upload.isEmpty
        #endif
    }

    /// Starts an exchange in a session of its own, whose connections nobody else has used or will use.
    private func startAlone(_ exchange: SessionExchange, _ message: URLRequest, _ tls: TLSPolicy?) -> URLSessionTask {
        let session = makeSession(for: tls)
        let task = adopt(exchange, message, in: session)
        exchange.onEnd { SessionExchange.cancellations.async { session.finishTasksAndInvalidate() } }
        return task
    }

    private func adopt(_ exchange: SessionExchange, _ message: URLRequest, in session: URLSession) -> URLSessionTask {
        let task = exchange.upload.makeTask(with: message, in: session)
        delegate.adopt(exchange, as: task, of: session)
        return task
    }

    private func session(for tls: TLSPolicy?, _ state: inout State) -> URLSession {
        if let session = state.sessions[tls] { return session }
        let session = makeSession(for: tls)
        state.sessions[tls] = session
        return session
    }

    private func makeSession(for tls: TLSPolicy?) -> URLSession {
        URLSession(configuration: configuration.adopting(tls), delegate: delegate, delegateQueue: delegate.queue)
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
