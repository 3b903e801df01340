import Foundation

/// One connection of a WebSocket: frames go out in order, and what comes is read by one task.
///
/// The lock is held while bytes are given to the connection, so that nothing follows a close and the fragments of a message stay
/// together.
final class WebSocketLink: Sendable {
    private struct State: Sendable {
        var session: WebSocketSession
        var pings: [Ping] = []
        var lastPing: UInt64 = 0
        /// What the newest ping of the server held, while there is no room for its answer.
        var pong: Data?
        var awaitsRoom = false
        var written = 0
        var received = 0
        var hasBroughtMessage = false
        var isOver = false
        var failure: NetworkError?
        var limits: [Limit: any TimeLimitHandle] = [:]
    }

    /// What a time limit is for; there is one of each at most.
    enum Limit: Hashable, Sendable {
        case pong
        case closing
    }

    private struct Ping: Sendable {
        let payload: Data
        let start: Duration
        let answer: OneShot<Result<Duration, NetworkError>>
    }

    private let connection: any UpgradedConnection
    private let stream: BodyStream
    private let fragmentSize: Int?
    private let time: any TimeSource
    private let state: Locked<State>

    /// How many bytes may wait to be sent before a sender has to.
    private static let sendAhead = 64 * 1024

    init(
        _ connection: any UpgradedConnection,
        stream: BodyStream,
        configuration: WebSocketConfiguration,
        time: any TimeSource
    ) {
        self.connection = connection
        self.stream = stream
        self.time = time
        fragmentSize = configuration.fragmentSize
        let limit = configuration.maximumMessageSize
        state = Locked(State(session: WebSocketSession(.client, maximumMessageSize: limit, answersPings: false)))
    }

    // MARK: Sending

    /// Hands a message to the connection.
    func write(_ message: WebSocketMessage) throws(NetworkError) {
        let bytes = WebSocketSession.bytes(of: message, upTo: fragmentSize, from: .client)
        try state.withLock { state throws(NetworkError) in
            guard !state.isOver, !state.session.hasSentClose else { throw Self.notOpen }
            // An answer goes ahead of the message: with senders that never stop there may be no room before they end.
            sendPong(&state)
            send(bytes, &state)
        }
    }

    private func send(_ bytes: Data, _ state: inout State) {
        guard !bytes.isEmpty else { return }
        state.written += bytes.count
        connection.write(bytes)
    }

    static var notOpen: NetworkError { NetworkError(.webSocketNotOpen, reach: .no) }

    /// Waits until there is room for more.
    func drain() async throws(NetworkError) {
        do { try await connection.drain(to: Self.sendAhead) } catch { throw NetworkError(transportFailure: error) }
    }

    /// Sends a ping; what is returned gets the time that the answer took.
    func ping() throws(NetworkError) -> OneShot<Result<Duration, NetworkError>> {
        let answer = OneShot<Result<Duration, NetworkError>>()
        let start = time.now
        try state.withLock { state throws(NetworkError) in
            guard !state.isOver, !state.session.hasSentClose else { throw Self.notOpen }
            state.lastPing += 1
            let payload = withUnsafeBytes(of: state.lastPing.bigEndian) { Data($0) }
            state.pings.append(Ping(payload: payload, start: start, answer: answer))
            var output = Data()
            state.session.ping(payload, sending: &output)
            send(output, &state)
        }
        return answer
    }

    /// Answers a ping, or has the answer wait for room. Of those that wait only the newest is answered (RFC 6455, section
    /// 5.5.3): so whoever sends pings and reads no pongs does not fill the memory, and reading goes on meanwhile, without which
    /// a server that waits for us to read would never make room.
    private func answerPing(_ payload: Data) {
        let mustWait = state.withLock { state -> Bool in
            state.pong = payload
            guard connection.unsent > Self.sendAhead else {
                sendPong(&state)
                return false
            }
            defer { state.awaitsRoom = true }
            return !state.awaitsRoom
        }
        guard mustWait else { return }
        Task {
            try? await drain()
            state.withLock { state in
                state.awaitsRoom = false
                sendPong(&state)
            }
        }
    }

    private func sendPong(_ state: inout State) {
        guard let payload = state.pong.take() else { return }
        var output = Data()
        state.session.pong(payload, sending: &output)
        send(output, &state)
    }

    /// Closes, and cuts the connection off if the server has not ended it in time.
    func close(_ close: WebSocketClose, within limit: Duration) {
        state.withLock { state in
            var output = Data()
            state.session.close(close, sending: &output)
            send(output, &state)
        }
        startClosing(within: limit)
    }

    /// Waits no longer than this for the end of the connection, counted from the first time.
    func startClosing(within limit: Duration) {
        guard state.withLock({ $0.limits[.closing] == nil }) else { return }
        startLimit(.closing, of: limit) { link in link.stream.end(with: .abandoned) }
    }

    /// Starts a time limit, in the place of the one before it. It ends with the connection at the latest.
    func startLimit(_ limit: Limit, of duration: Duration, expire: @escaping @Sendable (WebSocketLink) -> Void) {
        let handle = time.startLimit(of: duration) { [weak self] in
            if let self { expire(self) }
        }
        guard let handle else { return }
        let old = state.withLock { state -> (any TimeLimitHandle)? in
            guard !state.isOver else { return handle }
            defer { state.limits[limit] = handle }
            return state.limits[limit]
        }
        old?.lift()
    }

    /// Ends a time limit, if it runs.
    func lift(_ limit: Limit) {
        state.withLock { $0.limits.removeValue(forKey: limit) }?.lift()
    }

    /// Gives the connection up at once.
    func fail(_ error: NetworkError) {
        state.withLock { state in
            if state.failure == nil { state.failure = error }
        }
        stream.end(with: .failed(error))
    }

    /// Leaves without waiting for anybody.
    func abandon() {
        state.withLock { state in
            var output = Data()
            state.session.close(WebSocketClose(.goingAway), sending: &output)
            send(output, &state)
        }
        stream.end(with: .abandoned)
    }

    // MARK: Receiving

    /// Takes bytes that came.
    func receive(_ bytes: Data) {
        state.withLock { state in
            state.received += bytes.count
            state.session.receive(bytes)
        }
    }

    /// Draws the next event; answers that it asks for are on their way, or will be.
    func nextEvent() -> WebSocketSession.Event? {
        let event = state.withLock { state in
            var output = Data()
            let event = state.session.next(sending: &output)
            send(output, &state)
            if case .message = event { state.hasBroughtMessage = true }
            return event
        }
        if case .ping(let payload) = event { answerPing(payload) }
        return event
    }

    /// Whether a message has come over it.
    var hasBroughtMessage: Bool { state.withLock { $0.hasBroughtMessage } }

    /// What has moved over it so far.
    var pulse: WebSocketPulse {
        state.withLock { state in
            let unsent = connection.unsent
            return WebSocketPulse(received: state.received, sent: state.written - unsent, unsent: unsent)
        }
    }

    /// Tells those whose ping this answers, or has overtaken (RFC 6455, section 5.5.3).
    func answer(_ pong: Data) {
        let now = time.now
        let answered = state.withLock { state -> [Ping] in
            guard let last = state.pings.lastIndex(where: { $0.payload == pong }) else { return [] }
            defer { state.pings.removeSubrange(...last) }
            return Array(state.pings[...last])
        }
        for ping in answered { ping.answer.resolve(.success(now - ping.start)) }
    }

    /// What has been decided here about the end, if anything.
    var failure: NetworkError? { state.withLock { $0.failure } }

    /// Notes the end of the connection.
    func end(with error: NetworkError?) {
        let (pings, limits) = state.withLock { state -> ([Ping], [any TimeLimitHandle]) in
            state.isOver = true
            defer {
                state.pings = []
                state.limits = [:]
            }
            return (state.pings, Array(state.limits.values))
        }
        for limit in limits { limit.lift() }
        let failure = error ?? NetworkError(.webSocketNotOpen, "the WebSocket was closed before the pong came")
        for ping in pings { ping.answer.resolve(.failure(failure)) }
        stream.end(with: .abandoned)
    }
}
