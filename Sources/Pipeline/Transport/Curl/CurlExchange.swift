#if canImport(Glibc)
    import Foundation

    /// One request on its way through the event loop, seen from both sides: by the task that waits for the answer, and by the
    /// loop that brings it. It ends once, whoever ends it.
    final class CurlExchange: Sendable {
        private struct State: Sendable {
            var answer: Result<CurlAnswer, NetworkError>?
            var waiter: UnsafeContinuation<Void, Never>?
            var news: [SendEvent.Kind] = []
            var isOver = false
            /// Whether libcurl was given the request.
            var hasStarted = false
            var epilogue: BodyEpilogue?
        }

        let request: NetworkRequest
        let origin: Origin
        let message: CurlMessage
        let upload: CurlUpload
        /// Which connections it may go over.
        let poolKey: CurlPool.Key
        /// Whether it goes over TLS.
        let isSecure: Bool
        /// What the verified chain must hold, if anything.
        let pins: PinRule?
        /// Whether only the chain of certificates is wanted, and no request is to be sent.
        let isProbe: Bool
        /// What is to be sent after the request, if it asks to leave HTTP.
        let outbox: CurlOutbox?
        /// When it was given to the loop.
        let submission = CurlClock.now

        /// Touched on the loop's thread alone.
        nonisolated(unsafe) var transfer: CurlTransfer?  // Read and written on the loop's thread alone.
        /// Whether the server has switched protocols.
        nonisolated(unsafe) var hasSwitched = false  // Read and written on the loop's thread alone.

        private let driver: CurlDriver
        private let state = Locked(State())

        init(
            _ request: NetworkRequest,
            origin: Origin,
            upload: CurlUpload,
            poolKey: CurlPool.Key,
            pins: PinRule?,
            isProbe: Bool,
            driver: CurlDriver
        ) {
            self.request = request
            self.origin = origin
            self.upload = upload
            self.poolKey = poolKey
            isSecure = poolKey.tls != nil
            self.pins = pins
            self.isProbe = isProbe
            self.driver = driver
            outbox = request.upgrade == nil ? nil : CurlOutbox()
            message = CurlMessage(request, hasBody: !upload.isEmpty, defaults: driver.defaults)
        }

        /// Whether the body is wanted as it is. Where it goes to a file or is read while it arrives, a coding would make it come
        /// in bursts, and its length and ranges mean something else; a request that wants one anyway says so itself.
        var asksForNoCoding: Bool {
            request.headers[.acceptEncoding].map { $0.lowercased() == "identity" } ?? (request.delivery != .gathered)
        }

        /// What holds for its connection; `nil` without TLS.
        var tls: TLSPolicy? { poolKey.tls }

        /// Whether somebody listens to what happens on the way.
        var isMonitored: Bool { request.context.isMonitored }

        // MARK: The asking side

        /// Waits for the answer, and reports meanwhile.
        func answer() async throws(NetworkError) -> CurlAnswer {
            try await withTaskCancellationHandler {
                while true {
                    await wait()
                    tellNews()
                    if let answer = state.withLock({ $0.answer.take() }) { return answer }
                }
            } onCancel: {
                cancel()
            }.get()
        }

        private func wait() async {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
                let isReady = state.withLock { state in
                    if state.answer != nil || !state.news.isEmpty { return true }
                    state.waiter = waiter
                    return false
                }
                if isReady { waiter.resume() }
            }
        }

        /// Reports what has happened since the last time, on the task of whoever asks: monitors are not called on the loop's
        /// thread.
        func tellNews() {
            guard isMonitored else { return }
            let news = state.withLock { state in
                defer { state.news = [] }
                return state.news
            }
            for event in news { request.context.report(event) }
        }

        /// Ends the exchange. Whoever waits is answered at once; the loop cleans up after that.
        func cancel() { stop(with: nil) }

        /// Ends the exchange with an error; with that of cancellation if there is none.
        private func stop(with error: NetworkError?) {
            let (waiter, isFirst) = state.withLock { state -> (UnsafeContinuation<Void, Never>?, Bool) in
                guard !state.isOver else { return (nil, false) }
                state.isOver = true
                let reach: NetworkError.Reach = state.hasStarted ? .maybe : .no
                state.answer = .failure(NetworkError(error?.code ?? .cancelled, error?.explanation, reach: reach))
                return (state.waiter.take(), true)
            }
            waiter?.resume()
            if isFirst { driver.post(.drop(self)) }
        }

        /// Says that the reader of the body has made room.
        func resumeReading() { driver.post(.resume(self)) }

        /// Says that there are bytes to send again.
        func resumeSending() { driver.post(.send(self)) }

        /// What came after the body.
        var epilogue: BodyEpilogue? { state.withLock { $0.epilogue } }

        // MARK: The loop's side

        /// Whether nobody wants the answer any more.
        var isOver: Bool { state.withLock { $0.isOver } }

        /// Notes that libcurl is given the request.
        ///
        /// - Returns: Whether it is still wanted.
        func start() -> Bool {
            state.withLock { state in
                state.hasStarted = true
                return !state.isOver
            }
        }

        /// Hands the answer over, unless the exchange has ended.
        ///
        /// - Parameter isWhole: Whether nothing follows.
        func resolve(_ answer: Result<CurlAnswer, NetworkError>, isWhole: Bool) {
            let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
                guard !state.isOver else { return nil }
                state.answer = answer
                state.isOver = isWhole
                return state.waiter.take()
            }
            waiter?.resume()
        }

        /// Notes the end of a body that was handed over as a stream.
        func finish(with epilogue: BodyEpilogue) {
            state.withLock { state in
                state.isOver = true
                state.epilogue = epilogue
                if isMonitored {
                    state.news.append(.transferEnded(trailers: epilogue.trailers, metrics: epilogue.metrics))
                }
            }
        }

        /// Notes something to report.
        func note(_ event: SendEvent.Kind) {
            let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
                state.news.append(event)
                return state.waiter.take()
            }
            waiter?.resume()
        }
    }

    extension CurlExchange: DirectAttempt {
        func response() async throws -> NetworkResponse {
            let answer = try await answer()
            return NetworkResponse(
                status: HTTPStatus(answer.status),
                headers: HTTPHeaders(lines: answer.lines),
                body: body(of: answer),
                trailers: HTTPHeaders(lines: answer.trailers),
                version: answer.version,
                metrics: answer.metrics,
                request: request
            )
        }

        private func body(of answer: CurlAnswer) -> ResponseBody {
            switch answer.body {
            case .whole(let data):
                .bytes(data)
            case .stream(let pipe):
                .stream(stream(from: pipe, of: answer))
            case .chain:
                .empty
            }
        }

        private func stream(from pipe: BodyPipe, of answer: CurlAnswer) -> BodyStream {
            let source = CurlBodySource(pipe: pipe, exchange: self)
            guard answer.status == 101, let outbox else {
                return BodyStream(source, expectedLength: answer.announcedLength)
            }
            return BodyStream(CurlUpgradedConnection(body: source, outbox: outbox))
        }

        func stop(with error: NetworkError) { stop(with: Optional(error)) }
    }

    /// The body of an exchange as its reader sees it.
    struct CurlBodySource: BodySource {
        let pipe: BodyPipe
        let exchange: CurlExchange

        func next() async throws -> Data? {
            defer { exchange.tellNews() }
            return try await pipe.next()
        }

        func cancel() { pipe.cancel() }

        var epilogue: BodyEpilogue? { exchange.epilogue }
    }
#endif
