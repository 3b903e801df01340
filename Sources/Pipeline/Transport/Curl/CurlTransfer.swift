#if canImport(Glibc)
    import CCurl
    import Foundation

    /// A handle of libcurl and the exchange it is busy with. The handle is kept when that is over, for the next one.
    final class CurlTransfer {
        let easy: ccurl_easy
        /// Where it stands among the running ones of its pool; -1 if it does not run.
        var slot = -1

        private unowned let pool: CurlPool
        private unowned let loop: CurlLoop
        private let options: CurlOptions
        private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_ERROR_SIZE))
        private var state = State()

        /// What concerns one exchange.
        private struct State {
            var exchange: CurlExchange?
            /// libcurl keeps pointers into it for as long as the handle knows the request.
            var message: CurlMessage?
            var head = CurlHeadReader(limits: .init(size: 0, fields: 0, interimResponses: 0))
            /// What has arrived of the body since the last delivery.
            var body = Data()
            var received = 0
            var sent = 0
            var upload: (any CurlUploadReader)?
            var pipe: BodyPipe?
            var isTouched = false
            var isHeld = false
            var isStarved = false
            /// How often libcurl was about to send the request.
            var departures = 0
            var wasResent = false
            var begin: UInt64 = 0
            var lastSign: UInt64 = 0
            var lastProgress: UInt64 = 0
            /// What made our side break off.
            var failure: NetworkError?
            var chain: [VerifiedCertificate] = []
            var tlsVersion: UnsafePointer<CChar>?
            var tlsCipher: UnsafePointer<CChar>?
            /// How it ended, once it has.
            var end: Result<Void, NetworkError>?
            var metrics = AttemptMetrics()
        }

        init(pool: CurlPool, loop: CurlLoop) {
            self.pool = pool
            self.loop = loop
            guard let easy = ccurl_easy_create() else { fatalError("libcurl is out of memory") }
            self.easy = easy
            errorText.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
            options = CurlOptions(easy, configuration: loop.configuration, library: loop.library)
            options.setForGood(
                tls: pool.key.tls,
                errorText: errorText,
                context: Unmanaged.passUnretained(self).toOpaque()
            )
        }

        deinit {
            ccurl_easy_free(easy)
            errorText.deallocate()
        }

        // MARK: Beginning

        func begin(_ exchange: CurlExchange) {
            state = State()
            state.exchange = exchange
            state.message = exchange.message
            state.begin = max(loop.now, exchange.submission)
            exchange.transfer = self
            prepare(exchange, onFreshConnection: exchange.isProbe)
        }

        private func prepare(_ exchange: CurlExchange, onFreshConnection isFresh: Bool) {
            let configuration = loop.configuration
            state.head = CurlHeadReader(
                limits: .init(
                    size: configuration.maximumHeadSize,
                    fields: configuration.maximumFields,
                    interimResponses: configuration.maximumInterimResponses
                )
            )
            state.departures = 0
            state.sent = 0
            state.failure = nil
            state.lastSign = loop.now
            errorText.pointee = 0
            if exchange.message.kind == .withBody {
                state.upload = exchange.upload.open { [weak exchange] in exchange?.resumeSending() }
            }
            options.set(exchange, onFreshConnection: isFresh || mustBeFresh(exchange))
        }

        /// Without a call before the request, a used connection that dies would have libcurl send a request again that must not
        /// be. One with a body is safe: it cannot be read a second time.
        private func mustBeFresh(_ exchange: CurlExchange) -> Bool {
            !loop.library.callsBeforeRequests && !exchange.request.method.isIdempotent && exchange.upload.isEmpty
        }

        // MARK: Commands

        /// Breaks off: nobody wants the answer any more, and whoever waited for it knows.
        func drop() {
            state.failure = state.failure ?? NetworkError(.cancelled)
            fail(NetworkError(.cancelled))
        }

        func fail(_ error: NetworkError) {
            guard state.end == nil else { return }
            finish(with: .failure(error))
        }

        func resumeReading() {
            guard state.isHeld else { return }
            state.isHeld = false
            applyPauses()
        }

        func resumeSending() {
            guard state.isStarved else { return }
            state.isStarved = false
            applyPauses()
        }

        private func applyPauses() {
            guard state.end == nil, slot >= 0 else { return }
            state.lastSign = loop.now
            let held = state.isHeld ? CCURL_PAUSE_RECV : 0
            let starved = state.isStarved ? CCURL_PAUSE_SEND : 0
            ccurl_easy_pause(easy, Int32(held | starved))
        }

        // MARK: Idle limit

        /// Ends the transfer if it was quiet for too long.
        ///
        /// - Returns: When to look again.
        func inspect(at now: UInt64) -> UInt64? {
            guard let limit = state.exchange?.request.timeLimits.idle?.inNanoseconds, state.end == nil else {
                return nil
            }
            // Until the connection stands libcurl keeps the connect limit. When our side does not move, nobody is to blame.
            guard isConnected, !state.isHeld, !state.isStarved else { return now + limit }
            let due = state.lastSign + limit
            guard due <= now else { return due }
            fail(NetworkError(.timedOutIdle))
            return nil
        }

        private var isConnected: Bool {
            state.departures > 0 || ccurl_easy_offset(easy, Int32(CCURL_INFO_PRETRANSFER_TIME_T)) > 0
        }

        // MARK: The end

        /// Takes the result of libcurl.
        func ended(with code: Int32) {
            guard let exchange = state.exchange, state.end == nil else { return }
            // libcurl takes a head that breaks off for a whole one.
            if Int(code) == CCURL_E_OK, state.head.isComplete { return finish(with: .success(())) }
            if exchange.isProbe, !state.chain.isEmpty { return finish(with: .success(())) }
            if let failure = state.failure { return finish(with: .failure(failure)) }
            if mayBeSentAgain(exchange, after: code) { return sendAgain(exchange) }
            finish(with: .failure(failure(of: code)))
        }

        private func failure(of code: Int32) -> NetworkError {
            if Int(code) == CCURL_E_ABORTED_BY_CALLBACK, state.departures > 1 {
                return NetworkError(
                    .connectionLost,
                    "the connection, which had been used before, died before any answer",
                    underlying: CurlError(code: Int(code), text: String(cString: errorText))
                )
            }
            let text = String(cString: errorText.pointee == 0 ? ccurl_easy_text(code) : UnsafePointer(errorText))
            return NetworkError(
                CurlFailure(
                    code: code,
                    text: text,
                    systemError: ccurl_easy_long(easy, Int32(CCURL_INFO_OS_ERRNO)),
                    verification: ccurl_easy_long(easy, Int32(CCURL_INFO_SSL_VERIFYRESULT)),
                    proxyStatus: ccurl_easy_long(easy, Int32(CCURL_INFO_HTTP_CONNECTCODE)),
                    isConnected: isConnected,
                    mayHaveLeft: mayHaveLeft,
                    hasHead: state.head.isComplete,
                    received: Int(ccurl_easy_offset(easy, Int32(CCURL_INFO_SIZE_DOWNLOAD_T))),
                    announced: state.head.announcedLength
                )
            )
        }

        private var mayHaveLeft: Bool {
            loop.library.callsBeforeRequests
                ? state.departures > 0 : ccurl_easy_long(easy, Int32(CCURL_INFO_REQUEST_SIZE)) > 0
        }

        /// Whether a request that got no answer goes out once more: only where a used connection died under it, which its
        /// server may have closed in the meantime, and only if twice is as good as once (RFC 9110, section 9.2.2).
        private func mayBeSentAgain(_ exchange: CurlExchange, after code: Int32) -> Bool {
            let deaths = [
                CCURL_E_ABORTED_BY_CALLBACK, CCURL_E_SEND_FAIL_REWIND, CCURL_E_SEND_ERROR, CCURL_E_RECV_ERROR,
                CCURL_E_GOT_NOTHING, CCURL_E_HTTP2, CCURL_E_HTTP2_STREAM,
            ]
            guard deaths.contains(Int(code)), !state.wasResent, state.head.isUntouched, !exchange.isOver else {
                return false
            }
            let wasUsed = state.departures > 1 || ccurl_easy_long(easy, Int32(CCURL_INFO_NUM_CONNECTS)) == 0
            return wasUsed && exchange.request.method.isIdempotent && exchange.request.body.isReplayable
        }

        private func sendAgain(_ exchange: CurlExchange) {
            pool.remove(self)
            state.upload?.close()
            state.upload = nil
            state.wasResent = true
            state.isStarved = false
            if exchange.isMonitored {
                exchange.note(.transport("sent again over a new connection: the used one died before any answer"))
            }
            prepare(exchange, onFreshConnection: true)
            pool.add(self)
        }

        private func finish(with end: Result<Void, NetworkError>) {
            state.end = end
            measure()
            pool.remove(self)
            state.upload?.close()
            touch()
        }

        private func measure() {
            guard let exchange = state.exchange else { return }
            state.metrics = CurlMetrics.read(
                from: easy,
                queued: state.begin - exchange.submission,
                version: state.tlsVersion,
                cipher: state.tlsCipher
            )
            state.metrics.bytesSent = state.sent
            state.metrics.bytesReceived = state.received
        }

        // MARK: Delivery, at the end of a turn

        private func touch() {
            guard !state.isTouched else { return }
            state.isTouched = true
            loop.touch(self)
        }

        func deliver() {
            state.isTouched = false
            guard let exchange = state.exchange else { return }
            if exchange.isMonitored { tellProgress(of: exchange) }
            if let pipe = state.pipe {
                deliver(into: pipe, of: exchange)
            } else {
                deliverAnswer(to: exchange)
            }
            if state.end != nil { release(exchange) }
        }

        private func deliverAnswer(to exchange: CurlExchange) {
            switch state.end {
            case .success where exchange.isProbe:
                exchange.resolve(.success(answer(.chain(state.chain))), isWhole: true)
            case .success:
                exchange.resolve(.success(answer(.whole(state.body))), isWhole: true)
            case .failure(let error) where !state.head.isComplete:
                exchange.resolve(.failure(error), isWhole: true)
            default:
                guard state.head.isComplete else { return }
                if state.end == nil { measure() }
                let pipe = makePipe(for: exchange)
                state.pipe = pipe
                // Before the answer, or the pipe would have a reader that writes to it too.
                exchange.resolve(.success(answer(.stream(pipe))), isWhole: false)
                deliver(into: pipe, of: exchange)
            }
        }

        private func makePipe(for exchange: CurlExchange) -> BodyPipe {
            // What is gathered has a limit of its own, and holding it would hold up the others on its connection.
            let isMultiplexed = pool.key.isShared && state.head.version == .http2
            return BodyPipe(
                highWaterMark: isMultiplexed ? .max : loop.configuration.readAhead,
                onDemand: { exchange.resumeReading() },
                onCancel: { exchange.cancel() }
            )
        }

        private func deliver(into pipe: BodyPipe, of exchange: CurlExchange) {
            let mayGoOn = pipe.write(state.body)
            state.body = Data()
            switch state.end {
            case nil:
                guard !mayGoOn, !state.isHeld else { return }
                state.isHeld = true
                applyPauses()
            case .success:
                exchange.finish(with: epilogue)
                pipe.finish()
            case .failure(let error):
                exchange.finish(with: epilogue)
                pipe.finish(throwing: error)
            }
        }

        private var epilogue: BodyEpilogue {
            BodyEpilogue(trailers: HTTPHeaders(lines: state.head.trailers), metrics: state.metrics)
        }

        private func answer(_ body: CurlAnswer.Body) -> CurlAnswer {
            CurlAnswer(
                status: state.head.status,
                version: state.head.version,
                lines: state.head.lines,
                trailers: state.head.trailers,
                announcedLength: state.head.announcedLength,
                body: body,
                metrics: state.metrics
            )
        }

        /// Forgets the exchange and gives the handle back.
        private func release(_ exchange: CurlExchange) {
            exchange.transfer = nil
            state = State()
            loop.ended(exchange)
            pool.keep(self)
        }

        // MARK: Progress

        /// How often progress is told: often enough for a bar that moves, and cheap.
        private static let progressInterval: UInt64 = 100_000_000

        private func tellProgress(of exchange: CurlExchange) {
            guard state.received > 0 || state.sent > 0 else { return }
            guard state.end != nil || loop.now - state.lastProgress >= Self.progressInterval else { return }
            state.lastProgress = loop.now
            exchange.note(
                .progress(
                    TransferProgress(
                        bytesSent: state.sent,
                        bytesToSend: exchange.upload.length,
                        bytesReceived: state.received,
                        bytesToReceive: state.head.announcedLength
                    )
                )
            )
        }

        // MARK: What libcurl calls

        /// Takes a line of a head.
        func receive(headLine line: UnsafeRawBufferPointer) -> Bool {
            state.lastSign = loop.now
            guard let exchange = state.exchange else { return false }
            switch state.head.take(line) {
            case .more:
                return true
            case .interim(let status, let lines):
                if exchange.isMonitored {
                    exchange.note(.interimResponse(HTTPStatus(status), HTTPHeaders(lines: lines)))
                }
                return true
            case .complete:
                touch()
                return checkAnnouncedLength(for: exchange)
            case .violation(let error):
                state.failure = error
                return false
            }
        }

        private func checkAnnouncedLength(for exchange: CurlExchange) -> Bool {
            let head = state.head
            guard let limit = exchange.request.maximumResponseSize, let length = head.announcedLength, length > limit,
                head.codings == 0, exchange.request.method != .head, head.status != 204, head.status != 304
            else { return true }
            state.failure = NetworkError(.responseTooLarge, "the body has \(length) bytes, the limit is \(limit)")
            return false
        }

        /// Takes a piece of the body.
        func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
            state.lastSign = loop.now
            guard let exchange = state.exchange else { return false }
            state.received += bytes.count
            if let limit = exchange.request.maximumResponseSize, state.received > limit {
                state.failure = NetworkError(.responseTooLarge, "the body is larger than \(limit) bytes")
                return false
            }
            if state.head.codings > 0, grewTooMuch {
                state.failure = NetworkError(
                    .responseTooLarge,
                    "the compressed body grew more than \(loop.configuration.maximumDecompressionRatio)-fold"
                )
                return false
            }
            if state.body.isEmpty, let length = state.head.announcedLength, length <= Self.gatheredAtOnce {
                state.body.reserveCapacity(length)
            }
            state.body.append(contentsOf: bytes)
            touch()
            return true
        }

        /// Up to here room is made for a body before it has come.
        private static let gatheredAtOnce = 64 * 1024
        /// Below this a compressed body may grow as it likes.
        private static let harmlessSize = 32 << 20

        private var grewTooMuch: Bool {
            guard state.received > Self.harmlessSize else { return false }
            let travelled = Int(ccurl_easy_offset(easy, Int32(CCURL_INFO_SIZE_DOWNLOAD_T)))
            return state.received / max(travelled, 1) > loop.configuration.maximumDecompressionRatio
        }

        /// Gives the next bytes of the request's body.
        func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            state.lastSign = loop.now
            guard let upload = state.upload, let exchange = state.exchange else { return 0 }
            switch upload.read(into: buffer) {
            case .bytes(let count):
                state.sent += count
                if exchange.isMonitored, loop.now - state.lastProgress >= Self.progressInterval { touch() }
                return count
            case .end:
                return 0
            case .wait:
                state.isStarved = true
                return CCURL_READFUNC_PAUSE
            case .failed(let error):
                state.failure = error
                return CCURL_READFUNC_ABORT
            }
        }

        /// Adds the trust roots of the policy to a connection that is being made.
        func addRoots(to tlsContext: UnsafeMutableRawPointer) -> Bool {
            let roots = pool.key.tls?.roots.certificates ?? []
            let areAdded = roots.allSatisfy { root in
                root.der.withUnsafeBytes { bytes in
                    ccurl_tls_add_root(tlsContext, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count) == 1
                }
            }
            if !areAdded {
                state.failure = NetworkError(
                    .invalidRequest,
                    "a trust root of the policy is no certificate",
                    reach: .no
                )
            }
            return areAdded
        }

        /// Looks at the connection before the request leaves.
        ///
        /// - Returns: Whether it may.
        func mayDepart() -> Bool {
            state.lastSign = loop.now
            guard let exchange = state.exchange, !exchange.isOver else { return false }
            // The second time for one transfer means that a used connection has died. What then is decided at the end.
            state.departures += 1
            guard state.departures == 1 else { return false }
            guard let tls = exchange.tls else { return true }
            guard loop.library.tlsObstacle == nil else { return true }
            let connection = ccurl_tls(easy)
            state.tlsVersion = ccurl_tls_version(connection)
            state.tlsCipher = ccurl_tls_cipher(connection)
            if exchange.isProbe {
                state.chain = VerifiedChain.read(from: connection)
                if state.chain.isEmpty {
                    state.failure = NetworkError(.pinningUnsupported, "the verified chain cannot be had", reach: .no)
                }
                return false
            }
            guard let pins = tls.pins(for: exchange.origin.host) else { return true }
            state.failure = VerifiedChain.failure(of: connection, toHold: pins, for: exchange.origin.host)
            if state.failure != nil { state.departures = 0 }
            return state.failure == nil
        }
    }
#endif
