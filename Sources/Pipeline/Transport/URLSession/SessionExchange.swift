import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request in a session, from its start to the last byte of the body.
///
/// Until ``response()`` takes the response over, what arrives is kept here; after that it goes through a ``BodyPipe``. It
/// ends once, whoever ends it: the session, the reader, a limit, or whoever cancels.
final class SessionExchange: Sendable {
    private struct State {
        var task: URLSessionTask?
        var head: HTTPURLResponse?
        /// What arrived before the response was taken over.
        var early: [Data] = []
        var pipe: BodyPipe?
        var wasChallenged = false
        var isOver = false
        var failure: NetworkError?
        var onEnd: [@Sendable () -> Void] = []
        var isSuspended = false
        var began = Duration.zero
        var metrics = AttemptMetrics()
    }

    /// Where tasks are cancelled and held. `cancel()` waits for the session's queue, which must not wait for us.
    static let cancellations = DispatchQueue(label: "pipeline.urlsession.cancellations", qos: .userInitiated)

    let upload: SessionUpload

    private let request: NetworkRequest
    private let time: any TimeSource
    private let news = SessionNews()
    private let state = Locked(State())
    private let watch: QuietWatch

    init(request: NetworkRequest, upload: SessionUpload) {
        self.request = request
        self.upload = upload
        time = request.context.time
        let whenQuiet = OneWay<SessionExchange>()
        watch = QuietWatch(time: time) { whenQuiet.target?.failForQuiet() }
        whenQuiet.target = self
    }

    // MARK: The asking side

    /// Calls `observer` when the exchange ends.
    func onEnd(_ observer: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.onEnd.append(observer) }
            return state.isOver
        }
        if isOver { observer() }
    }

    /// Lets the task run, unless the exchange was ended already.
    func start(_ task: URLSessionTask) {
        let now = time.now
        let isWanted = state.withLock { state in
            guard !state.isOver else { return false }
            state.task = task
            state.began = now
            return true
        }
        guard isWanted else { return Self.cancellations.async { task.cancel() } }
        watch.start(limit: limitOfFirstSign)
        task.resume()
    }

    /// Waits for the head of the response and takes over what there is of the body.
    func response() async throws(NetworkError) -> NetworkResponse {
        while await !news.wait() { tellProgress() }
        // Once the exchange is seen to be over, its last progress is among the news. There may be no reader to tell it.
        defer { tellProgress() }
        let pipe = makePipe()
        let (head, body, metrics) = try state.withLock { state throws(NetworkError) in
            guard let head = state.head, state.failure?.isCancellation != true else {
                throw state.failure ?? NetworkError(.connectionLost, "the session ended without a response")
            }
            let body: ResponseBody
            if state.isOver, state.failure == nil {
                body = .bytes(state.early.count == 1 ? state.early[0] : state.early.reduce(into: Data()) { $0 += $1 })
            } else {
                // Nobody reads the pipe yet, so this calls nobody.
                for chunk in state.early { pipe.write(chunk) }
                if state.isOver { pipe.finish(throwing: state.failure) } else { state.pipe = pipe }
                body = .stream(BodyStream(SessionBodySource(pipe, of: self), expectedLength: head.announcedLength))
            }
            state.early = []
            return (head, body, state.metrics)
        }
        return NetworkResponse(
            status: HTTPStatus(head.statusCode),
            headers: HTTPHeaders(head),
            body: body,
            metrics: metrics,
            request: request
        )
    }

    private func makePipe() -> BodyPipe {
        BodyPipe(
            onDemand: { self.followReader() },
            onCancel: { self.fail(NetworkError(.cancelled)) }
        )
    }

    /// Ends the exchange with an error and stops the transfer. What ended first counts.
    func fail(_ error: NetworkError) {
        guard let task = end(with: error) else { return }
        Self.cancellations.async { task.cancel() }
    }

    /// Ends the exchange.
    ///
    /// - Returns: The task, if this call ended the exchange and there is one.
    @discardableResult
    private func end(with failure: NetworkError?) -> URLSessionTask? {
        let now = time.now
        let ended = state.withLock { state -> (URLSessionTask?, BodyPipe?, [@Sendable () -> Void])? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.failure = failure
            state.metrics.total = now - state.began
            if failure?.isCancellation != true { noteProgress(in: state, isLast: true) }
            defer { state.onEnd = [] }
            return (state.task.take(), state.pipe.take(), state.onEnd)
        }
        guard let (task, pipe, observers) = ended else { return nil }
        watch.stop()
        pipe?.finish(throwing: failure)
        news.answer()
        for observer in observers { observer() }
        return task
    }

    // MARK: The session's side, on the queue of its delegate

    /// Takes the head of the response.
    func receive(_ response: URLResponse) {
        guard let head = response as? HTTPURLResponse else {
            return fail(NetworkError(.protocolViolation, "the response is not one of HTTP"))
        }
        let isInterim = 100..<200 ~= head.statusCode && head.statusCode != HTTPStatus.switchingProtocols.code
        guard !isInterim else { return watch.sign() }
        let isSent = state.withLock { ($0.metrics.bytesSent ?? 0) >= upload.length }
        if isSent, let change = upload.failure { return fail(change) }
        let now = time.now
        state.withLock { state in
            guard state.head == nil else { return }
            state.head = head
            state.metrics.firstByte = now - state.began
        }
        watch.start(limit: request.timeLimits.idle)
        news.answer()
    }

    /// Takes a piece of the body.
    func receive(_ data: Data) {
        watch.sign()
        let (pipe, size) = state.withLock { state -> (BodyPipe?, Int) in
            let size = (state.metrics.bytesReceived ?? 0) + data.count
            state.metrics.bytesReceived = size
            if state.pipe == nil, !state.isOver { state.early.append(data) }
            return (state.pipe, size)
        }
        if let limit = request.maximumResponseSize, size > limit {
            return fail(NetworkError(.responseTooLarge, "the body is larger than \(limit) bytes"))
        }
        state.withLock { noteProgress(in: $0) }
        if let pipe, !pipe.write(data) { followReader() }
    }

    /// Notes that some of the request's body has left: the connection stands.
    func sent(_ bytes: Int64) {
        // A session that sends a body anew, after a challenge for one, counts anew.
        state.withLock { $0.metrics.bytesSent = max($0.metrics.bytesSent ?? 0, Int(bytes)) }
        watch.start(limit: request.timeLimits.idle)
        state.withLock { noteProgress(in: $0) }
    }

    /// Notes that a demand for a password was turned down, so that the response stays what it is.
    func refuseChallenge() {
        state.withLock { $0.wasChallenged = true }
    }

    /// Takes the end of the transfer.
    func complete(response: URLResponse?, error: (any Error)?) {
        let isAnswered = state.withLock { $0.head != nil }
        if !isAnswered, let response { receive(response) }
        let isTurnedDown = state.withLock { $0.wasChallenged && $0.head != nil }
        let failure = isTurnedDown ? nil : error.map(NetworkError.init(transportFailure:))
        end(with: failure == nil ? nil : upload.failure ?? failure)
    }

    // MARK: Progress

    private func noteProgress(in state: State, isLast: Bool = false) {
        guard request.context.isMonitored else { return }
        let (sent, received) = (state.metrics.bytesSent ?? 0, state.metrics.bytesReceived ?? 0)
        guard sent > 0 || received > 0 else { return }
        let isCoded = state.head?.value(forHTTPHeaderField: "Content-Encoding") != nil
        // A session counts bytes that a file has grown by, and does not send them.
        let progress = AttemptProgress(
            bytesSent: min(sent, upload.length),
            bytesToSend: upload.length,
            bytesReceived: received,
            bytesToReceive: isCoded ? nil : state.head?.announcedLength
        )
        news.put(progress, isLast: isLast)
    }

    /// Reports what has moved since the last time, on the task of whoever waits or reads.
    func tellProgress() {
        guard let progress = news.takeProgress() else { return }
        request.context.report(.progress(progress))
    }

    // MARK: Limits and back-pressure

    /// What an answer, or the first sign of a connection, may take.
    ///
    /// A body begins to leave as soon as the connection stands, so there the connect limit can be kept. Without a body a
    /// session is silent until the answer comes, be it for want of a connection or of an answer; only both limits together
    /// say what is too long.
    private var limitOfFirstSign: Duration? {
        let limits = request.timeLimits
        guard upload.isEmpty else { return limits.connect ?? limits.idle }
        guard let idle = limits.idle else { return limits.connect }
        return max(idle, limits.connect ?? idle)
    }

    private func failForQuiet() {
        let isConnecting = state.withLock { $0.head == nil && $0.metrics.bytesSent == nil }
        let isKept = request.timeLimits.connect != nil && (!upload.isEmpty || request.timeLimits.idle == nil)
        if let change = upload.failure {
            fail(change)  // The session waits for bytes that a file has no more.
        } else if isConnecting, isKept {
            fail(NetworkError(.timedOutConnecting))
        } else {
            fail(NetworkError(.timedOutIdle))
        }
    }

    /// Holds the transfer while the reader is behind, and lets it go on when it is not.
    ///
    /// Not on Linux, where suspending a task closes its connection and resuming it sends the request again.
    private func followReader() {
        #if canImport(Darwin)
            Self.cancellations.async { [self] in
                // The pipe is asked here, on a serial queue: two calls that overtake each other end up right.
                let change = state.withLock { state -> (URLSessionTask, Bool)? in
                    guard let task = state.task, let pipe = state.pipe, pipe.isHeld != state.isSuspended else {
                        return nil
                    }
                    state.isSuspended = pipe.isHeld
                    return (task, state.isSuspended)
                }
                guard let (task, isSuspended) = change else { return }
                if isSuspended {
                    watch.pause()
                    task.suspend()
                } else {
                    task.resume()
                    watch.resume()
                }
            }
        #endif
    }
}

/// The body of an exchange as its reader sees it.
private struct SessionBodySource: BodySource {
    private let pipe: BodyPipe
    private let exchange: SessionExchange

    init(_ pipe: BodyPipe, of exchange: SessionExchange) {
        self.pipe = pipe
        self.exchange = exchange
    }

    func next() async throws -> Data? {
        defer { exchange.tellProgress() }
        return try await pipe.next()
    }

    func cancel() { pipe.cancel() }
}

/// A way back that does not keep its target alive.
private final class OneWay<Target: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable {
        weak var target: Target?
    }

    private let reference = Locked(Reference())

    var target: Target? {
        get { reference.withLock { $0.target } }
        set { reference.withLock { $0.target = newValue } }
    }
}
