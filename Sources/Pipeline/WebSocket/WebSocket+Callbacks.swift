public import Dispatch

extension WebSocket {
    /// Connects and calls back on the main actor.
    ///
    /// - Parameter completion: Called once, when messages can be sent or there will be no connection.
    public func connect(completion: @escaping @MainActor @Sendable (Result<Void, NetworkError>) -> Void) {
        connect { result in await MainActor.run { completion(result) } }
    }

    /// Connects and calls back on a queue.
    ///
    /// - Parameters:
    ///   - queue: Where to call back.
    ///   - completion: Called once, when messages can be sent or there will be no connection.
    public func connect(
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Void, NetworkError>) -> Void
    ) {
        connect { result in queue.async { completion(result) } }
    }

    private func connect(deliver: @escaping @Sendable (Result<Void, NetworkError>) async -> Void) {
        core.start()
        // Not this object, so that who lets go of it need not wait.
        Task { [core] in
            _ = await core.wait(untilOpen: true)
            if case .closed(_, let error) = core.current {
                await deliver(.failure(error ?? WebSocketLink.notOpen))
            } else {
                await deliver(.success(()))
            }
        }
    }

    /// Sends a message and calls back on the main actor. Messages go out in the order of the calls.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - completion: Called once, when the message was handed over as ``send(_:)-(WebSocketMessage)`` says, or could not be.
    public func send(
        _ message: WebSocketMessage,
        completion: @escaping @MainActor @Sendable (Result<Void, NetworkError>) -> Void
    ) {
        send(message) { result in await MainActor.run { completion(result) } }
    }

    /// Sends a message and calls back on a queue. Messages go out in the order of the calls.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - queue: Where to call back.
    ///   - completion: Called once, when the message was handed over as ``send(_:)-(WebSocketMessage)`` says, or could not be.
    public func send(
        _ message: WebSocketMessage,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Void, NetworkError>) -> Void
    ) {
        send(message) { result in queue.async { completion(result) } }
    }

    private func send(
        _ message: WebSocketMessage,
        deliver: @escaping @Sendable (Result<Void, NetworkError>) async -> Void
    ) {
        let written = Result<WebSocketLink, NetworkError> { () throws(NetworkError) in
            let link = try core.openLink()
            try link.write(message)
            return link
        }
        Task {
            do throws(NetworkError) {
                try await written.get().drain()
                await deliver(.success(()))
            } catch {
                await deliver(.failure(error))
            }
        }
    }

    /// Hands each message over on the main actor, in order, and connects if nobody has.
    ///
    /// It goes on until the WebSocket is closed, which letting go of it does too.
    ///
    /// - Parameters:
    ///   - onMessage: Called with each message. The next one waits until it returns.
    ///   - onEnd: Called once, at the end: how the WebSocket was closed, or the error if it did not end well.
    public func listen(
        onMessage: @escaping @MainActor @Sendable (WebSocketMessage) -> Void,
        onEnd: @escaping @MainActor @Sendable (Result<WebSocketClose, NetworkError>) -> Void = { _ in }
    ) {
        listen(
            deliver: { message in await MainActor.run { onMessage(message) } },
            end: { end in await MainActor.run { onEnd(end) } }
        )
    }

    /// Hands each message over on a queue, in order, and connects if nobody has.
    ///
    /// It goes on until the WebSocket is closed, which letting go of it does too.
    ///
    /// - Parameters:
    ///   - queue: Where to call back.
    ///   - onMessage: Called with each message. The next one waits until it returns.
    ///   - onEnd: Called once, at the end: how the WebSocket was closed, or the error if it did not end well.
    public func listen(
        on queue: DispatchQueue,
        onMessage: @escaping @Sendable (WebSocketMessage) -> Void,
        onEnd: @escaping @Sendable (Result<WebSocketClose, NetworkError>) -> Void = { _ in }
    ) {
        @Sendable func run(_ work: @escaping @Sendable () -> Void) async {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                queue.async {
                    work()
                    done.resume()
                }
            }
        }
        listen(
            deliver: { message in await run { onMessage(message) } },
            end: { end in await run { onEnd(end) } }
        )
    }

    private func listen(
        deliver: @escaping @Sendable (WebSocketMessage) async -> Void,
        end: @escaping @Sendable (Result<WebSocketClose, NetworkError>) async -> Void
    ) {
        core.start()
        Task { [core] in
            do throws(NetworkError) {
                while let message = try await core.inbox.next() { await deliver(message) }
                _ = await core.wait(untilOpen: false)
                guard case .closed(let close, _) = core.current else { return }
                await end(.success(close))
            } catch {
                await end(.failure(error))
            }
        }
    }

    /// Sends a ping and calls back on the main actor.
    ///
    /// - Parameter completion: Called once, with the time that the pong took, or why there is none.
    public func ping(completion: @escaping @MainActor @Sendable (Result<Duration, NetworkError>) -> Void) {
        ping { result in await MainActor.run { completion(result) } }
    }

    /// Sends a ping and calls back on a queue.
    ///
    /// - Parameters:
    ///   - queue: Where to call back.
    ///   - completion: Called once, with the time that the pong took, or why there is none.
    public func ping(
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Duration, NetworkError>) -> Void
    ) {
        ping { result in queue.async { completion(result) } }
    }

    private func ping(deliver: @escaping @Sendable (Result<Duration, NetworkError>) async -> Void) {
        let answer = Result<OneShot<Result<Duration, NetworkError>>, NetworkError> { () throws(NetworkError) in
            try core.openLink().ping()
        }
        Task {
            switch answer {
            case .success(let answer): await deliver(await answer.value())
            case .failure(let error): await deliver(.failure(error))
            }
        }
    }

    /// Closes and calls back on the main actor.
    ///
    /// - Parameters:
    ///   - code: Why. 1000 unless told otherwise.
    ///   - reason: Why, in words for developers.
    ///   - completion: Called once, when the connection has ended, with how.
    public func close(
        code: WebSocketCloseCode = .normalClosure,
        reason: String = "",
        completion: @escaping @MainActor @Sendable (WebSocketClose) -> Void
    ) {
        close(WebSocketClose(code, reason)) { close in await MainActor.run { completion(close) } }
    }

    /// Closes and calls back on a queue.
    ///
    /// - Parameters:
    ///   - code: Why. 1000 unless told otherwise.
    ///   - reason: Why, in words for developers.
    ///   - queue: Where to call back.
    ///   - completion: Called once, when the connection has ended, with how.
    public func close(
        code: WebSocketCloseCode = .normalClosure,
        reason: String = "",
        on queue: DispatchQueue,
        completion: @escaping @Sendable (WebSocketClose) -> Void
    ) {
        close(WebSocketClose(code, reason)) { close in queue.async { completion(close) } }
    }

    private func close(_ close: WebSocketClose, deliver: @escaping @Sendable (WebSocketClose) async -> Void) {
        core.close(close)
        Task { [core] in
            _ = await core.wait(untilOpen: false)
            if case .closed(let close, _) = core.current { await deliver(close) }
        }
    }
}
