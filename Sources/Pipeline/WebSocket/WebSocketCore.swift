import Foundation

/// What a ``WebSocket`` does, apart from who holds it: letting go of the one ends the other.
final class WebSocketCore: Sendable {
    private struct State: Sendable {
        var state = WebSocketState.idle
        var task: Task<Void, Never>?
        var link: WebSocketLink?
        var response: NetworkResponse?
        /// What the user has closed with, once that was asked for.
        var request: WebSocketClose?
        /// Whether it was cancelled with the sends of its network.
        var isCancelled = false
        var tag: String?
        var observers: [Int: AsyncStream<WebSocketState>.Continuation] = [:]
        var lastObserver = 0
        /// Those who wait until it is open, or closed.
        var waiters: [Int: (untilOpen: Bool, end: OneShot<Bool>)] = [:]
        var lastWaiter = 0
    }

    /// Makes the request of the next connection, which says its tag when it is built.
    typealias MakeRequest =
        @Sendable (_ noteTag: @escaping @Sendable (String?) -> Void) -> any Request<NetworkResponse>

    let inbox: WebSocketInbox
    let configuration: WebSocketConfiguration

    private let network: Network
    private let makeRequest: MakeRequest
    private let state = Locked(State())

    var time: any TimeSource { network.core.configuration.time }

    init(
        network: Network,
        configuration: WebSocketConfiguration,
        makeRequest: @escaping MakeRequest
    ) {
        self.network = network
        self.configuration = configuration
        self.makeRequest = makeRequest
        inbox = WebSocketInbox(readAhead: configuration.readAhead)
    }

    // MARK: What it is

    var current: WebSocketState { state.withLock { $0.state } }

    var response: NetworkResponse? { state.withLock { $0.response } }

    /// The connection, if it is open.
    func openLink() throws(NetworkError) -> WebSocketLink {
        guard let link = state.withLock({ $0.link }) else { throw WebSocketLink.notOpen }
        return link
    }

    /// The states from now on, the present one first.
    func states() -> AsyncStream<WebSocketState> {
        let (stream, continuation) = AsyncStream.makeStream(of: WebSocketState.self)
        let number = state.withLock { state -> Int in
            continuation.yield(state.state)
            state.lastObserver += 1
            if state.state.isClosed {
                continuation.finish()
            } else {
                state.observers[state.lastObserver] = continuation
            }
            return state.lastObserver
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
        return stream
    }

    private func enter(_ new: WebSocketState, link: WebSocketLink? = nil, response: NetworkResponse? = nil) {
        let waiters = state.withLock { state -> [OneShot<Bool>] in
            guard !state.state.isClosed else { return [] }
            state.state = new
            state.link = link
            if let response { state.response = response }
            for observer in state.observers.values { observer.yield(new) }
            if new.isClosed { state.task = nil }
            let due = state.waiters.filter { new.isClosed || $0.value.untilOpen && new.isOpen }
            for number in due.keys { state.waiters[number] = nil }
            return due.values.map(\.end)
        }
        for waiter in waiters { waiter.resolve(true) }
        guard new.isClosed else { return }
        // Apart, since an observer that ends calls back.
        let observers = state.withLock { state in
            defer { state.observers = [:] }
            return state.observers
        }
        for observer in observers.values { observer.finish() }
    }

    /// Waits until it is open, or closed.
    ///
    /// - Returns: Whether that came; false if the task was cancelled before.
    func wait(untilOpen: Bool) async -> Bool {
        let end = OneShot<Bool>()
        let number = state.withLock { state -> Int? in
            if state.state.isClosed || untilOpen && state.state.isOpen { return nil }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = (untilOpen, end)
            return state.lastWaiter
        }
        guard let number else { return true }
        let came = await withTaskCancellationHandler {
            await end.value()
        } onCancel: {
            end.resolve(false)
        }
        if !came { state.withLock { _ = $0.waiters.removeValue(forKey: number) } }
        return came
    }

    // MARK: What is asked of it

    /// Begins to connect, unless that was done.
    func start() {
        let start = OneShot<Void>()
        let isFirst = state.withLock { state -> Bool in
            guard case .idle = state.state, state.task == nil, state.request == nil else { return false }
            state.task = Task {
                await start.value()
                await self.run()
            }
            return true
        }
        guard isFirst else { return }
        network.core.registry.add(self)
        start.resolve(())
    }

    /// The tag of its request, as it was last built.
    var tag: String? { state.withLock { $0.tag } }

    /// Ends it with the sends of its network: between two connections there is no send to cancel.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Closes it for good.
    func close(_ close: WebSocketClose) {
        let (link, task) = state.withLock { state -> (WebSocketLink?, Task<Void, Never>?) in
            if state.request == nil { state.request = close }
            return (state.link, state.task)
        }
        if let link {
            link.close(close, within: configuration.closeLimit)
            // Messages that are still on their way must not keep the answer from being read.
            inbox.release(discarding: true)
        } else if let task {
            task.cancel()
        } else {
            end(WebSocketEnding(lost: nil))
        }
    }

    /// Ends it because nobody holds it any more.
    func abandon() {
        let (link, task) = state.withLock { state -> (WebSocketLink?, Task<Void, Never>?) in
            if state.request == nil { state.request = WebSocketClose(.goingAway) }
            return (state.link, state.task)
        }
        link?.abandon()
        inbox.release(discarding: true)
        task?.cancel()
        if task == nil { end(WebSocketEnding(lost: nil)) }
    }

    private func end(_ ending: WebSocketEnding) {
        network.core.registry.remove(self)
        enter(.closed(ending.close, ending.error))
        inbox.finish(throwing: ending.error)
    }

    // MARK: The task

    private func run() async {
        var failures = 0
        while true {
            enter(.connecting)
            let ending: WebSocketEnding
            do throws(NetworkError) {
                let (link, response, body) = try await open()
                let start = time.now
                ending = await serve(link, response, body)
                let isProven = isProven(link, openFor: time.now - start)
                failures = isProven ? 0 : failures + 1
            } catch {
                failures += 1
                ending = WebSocketEnding(lost: error)
            }
            guard let pause = pause(after: ending, failures: failures) else { return end(asAsked(ending)) }
            enter(.waiting(ending.close, ending.error, reconnectsIn: pause))
            guard await sleep(for: pause) else { return end(asAsked(isCancelled ? .cancelled : ending)) }
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether a connection was worth its making, so that its end is no further failure.
    private func isProven(_ link: WebSocketLink, openFor time: Duration) -> Bool {
        link.hasBroughtMessage || configuration.reconnection.map { time >= $0.bounds.upperBound } ?? true
    }

    /// An end that was asked for is no error, whatever it looks like.
    private func asAsked(_ ending: WebSocketEnding) -> WebSocketEnding {
        var ending = ending
        if state.withLock({ $0.request != nil }) { ending.error = nil }
        return ending
    }

    private func pause(after ending: WebSocketEnding, failures: Int) -> Duration? {
        guard let policy = configuration.reconnection, state.withLock({ $0.request == nil && !$0.isCancelled }),
            policy.reconnects(after: ending)
        else { return nil }
        if failures > 0, let limit = policy.maximumFailures, failures >= limit { return nil }
        var generator = SystemRandomNumberGenerator()
        return policy.pause(after: failures, using: &generator)
    }

    private func sleep(for pause: Duration) async -> Bool {
        do { try await time.sleep(for: pause, purpose: .reconnection) } catch { return false }
        return state.withLock { $0.request == nil && !$0.isCancelled }
    }

    private func open() async throws(NetworkError) -> (WebSocketLink, NetworkResponse, BodyStream) {
        guard network.core.transport.capabilities.contains(.upgrades) else {
            throw NetworkError(.webSocketUnsupported, reach: .no)
        }
        let request = makeRequest { [weak self] tag in self?.state.withLock { $0.tag = tag } }
        let response = try await network.send(request)
        guard response.status == .switchingProtocols, let stream = response.body.stream,
            let connection = stream.connection
        else {
            response.body.discard()
            throw NetworkError(.webSocketHandshakeFailed, "the answer was \(response.status)", response: response)
        }
        let link = WebSocketLink(connection, stream: stream, configuration: configuration, time: time)
        return (link, response, stream)
    }

    /// Brings messages until the connection ends.
    private func serve(_ link: WebSocketLink, _ response: NetworkResponse, _ body: BodyStream) async -> WebSocketEnding
    {
        inbox.hold()
        body.onEnd { [inbox] _ in inbox.release() }
        var chunks = body.makeAsyncIterator()
        var head = response
        head.body = .empty
        enter(.open(subprotocol: head.subprotocol), link: link, response: head)
        if let request = state.withLock({ $0.request }) { link.close(request, within: configuration.closeLimit) }
        let pinger = Task { await ping(over: link) }
        var ending: WebSocketEnding?
        do throws(NetworkError) {
            while let chunk = try await chunks.nextChunk() {
                guard ending == nil else { continue }
                link.receive(chunk)
                ending = await takeEvents(of: link)
                guard ending != nil else { continue }
                pinger.cancel()
                link.startClosing(within: configuration.closeLimit)
            }
            ending = ending ?? WebSocketEnding(lost: link.failure ?? Self.unclosed)
        } catch {
            ending = ending ?? WebSocketEnding(lost: link.failure ?? error)
        }
        pinger.cancel()
        state.withLock { $0.link = nil }
        let final = ending ?? WebSocketEnding(lost: nil)
        link.end(with: final.error)
        return final
    }

    private static var unclosed: NetworkError {
        NetworkError(.connectionLost, "the connection ended without a close")
    }

    /// - Returns: The end, if that was among the events.
    private func takeEvents(of link: WebSocketLink) async -> WebSocketEnding? {
        while let event = link.nextEvent() {
            switch event {
            case .message(let message): await inbox.put(message)
            case .ping: break
            case .pong(let payload): link.answer(payload)
            case .closed(let close): return WebSocketEnding(received: close)
            case .failed(let fault): return WebSocketEnding(fault)
            }
        }
        return nil
    }
}

extension NetworkResponse {
    /// The subprotocol that a handshake has settled on.
    var subprotocol: String? { WebSocketHandshake.tokens(of: .secWebSocketProtocol, in: headers).first }
}
