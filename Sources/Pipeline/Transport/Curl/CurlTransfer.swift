#if canImport(Glibc)
    import CCurl
    import Foundation

    /// A handle of libcurl and the exchange it is busy with. The handle is kept when that is over, for the next one.
    final class CurlTransfer {
        let easy: ccurl_easy
        /// Where it stands among the running ones of its pool; -1 if it does not run.
        var slot = -1

        /// Its pool knows it too; see ``CurlPool/close()``.
        let pool: CurlPool
        let loop: CurlLoop
        let options: CurlOptions
        let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_ERROR_SIZE))
        @exclusivity(unchecked) var metrics = CurlMetrics()
        @exclusivity(unchecked) var state = State()

        /// Whether the other side has said that nothing follows, where that is what ends the body.
        enum EndOfTLS {
            case irrelevant
            case awaited
            case seen
        }

        /// What concerns one exchange.
        struct State {
            var exchange: CurlExchange?
            /// libcurl keeps pointers into it for as long as the handle knows the request.
            var message: CurlMessage?
            var head = ResponseHeadReader(limits: .init(size: 0, fields: 0, interimResponses: 0))
            /// What has arrived of the body since the last delivery.
            var body = Data()
            var received = 0
            var sent = 0
            var upload: (any CurlUploadReader)?
            var pipe: BodyPipe?
            /// The connection, if it is ours and not libcurl's.
            var upgrade: CurlUpgrade?
            var isTouched = false
            var isHeld = false
            var isStarved = false
            /// How often libcurl was about to send the request.
            var departures = 0
            /// Whether the request left over a connection that had been used before.
            var leftOverUsedConnection = false
            var wasResent = false
            var begin: UInt64 = 0
            var lastSign: UInt64 = 0
            var lastProgress: UInt64 = 0
            /// How much of the request's body was told of as sent.
            var toldSent = 0
            /// What made our side break off.
            var failure: NetworkError?
            var chain: [VerifiedCertificate] = []
            var tlsVersion: UnsafePointer<CChar>?
            var tlsCipher: UnsafePointer<CChar>?
            var endOfTLS = EndOfTLS.irrelevant
            /// Whether it has ended for everybody but libcurl.
            var lingers = false
            /// How it ended, once it has.
            var end: Result<Void, NetworkError>?
            var metrics = AttemptMetrics()
        }

        init(pool: CurlPool, loop: CurlLoop) {
            self.pool = pool
            self.loop = loop
            // Only for want of memory, after which Swift's own next allocation would stop the program.
            guard let easy = ccurl_easy_create() else { fatalError("libcurl is out of memory") }
            self.easy = easy
            errorText.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
            options = CurlOptions(easy, configuration: loop.configuration, library: loop.library)
            pool.serveSockets(of: easy)
            options.setForGood(
                tls: pool.key.tls,
                isUpgrade: pool.key.isUpgrade,
                errorText: errorText,
                context: Unmanaged.passUnretained(self).toOpaque()
            )
        }

        deinit {
            ccurl_easy_free(easy)
            errorText.deallocate()
        }

        // MARK: Beginning

        /// Begins an exchange. The handle is new, or was reset.
        func begin(_ exchange: CurlExchange) {
            state.exchange = exchange
            state.message = exchange.message
            state.begin = max(loop.now, exchange.submission)
            exchange.transfer = self
            prepare(exchange, onFreshConnection: exchange.isProbe || pool.key.isUpgrade)
        }

        func prepare(_ exchange: CurlExchange, onFreshConnection isFresh: Bool) {
            state.head = ResponseHeadReader(limits: loop.headLimits, allowsSwitch: pool.key.isUpgrade)
            state.departures = 0
            state.leftOverUsedConnection = false
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
            if let upgrade = state.upgrade { return upgrade.write() }
            guard state.isStarved else { return }
            state.isStarved = false
            applyPauses()
        }

        func applyPauses() {
            guard state.end == nil, slot >= 0 else { return }
            state.lastSign = loop.now
            if let upgrade = state.upgrade { return upgrade.followReader() }
            let held = state.isHeld ? CCURL_PAUSE_RECV : 0
            let starved = state.isStarved ? CCURL_PAUSE_SEND : 0
            ccurl_easy_pause(easy, Int32(held | starved))
        }

        /// Whether the body is being handed over while it arrives.
        var isStreaming: Bool { state.pipe != nil }

        // MARK: Idle limit

        /// Ends the transfer if it was quiet for too long.
        ///
        /// - Returns: When to look again.
        func inspect(at now: UInt64) -> UInt64? {
            guard let limit = state.exchange?.request.timeLimits.idle?.inNanoseconds, state.end == nil,
                state.upgrade?.isSwitched != true
            else { return nil }
            // Until the connection stands libcurl keeps the connect limit. When our side does not move, nobody is to blame.
            guard isConnected, !state.isHeld, !state.isStarved else { return now + limit }
            let due = state.lastSign + limit
            guard due <= now else { return due }
            fail(NetworkError(.timedOutIdle))
            return nil
        }

        var isConnected: Bool {
            state.departures > 0 || ccurl_easy_offset(easy, Int32(CCURL_INFO_PRETRANSFER_TIME_T)) > 0
        }

        /// Asks to be delivered from at the end of the turn.
        func touch() {
            guard !state.isTouched else { return }
            state.isTouched = true
            loop.touch(self)
        }
    }
#endif
