#if canImport(Glibc)
    import CCurl
    import Foundation

    /// How a transfer ends: what libcurl's result means, whether the request goes out once more, and what is measured.
    extension CurlTransfer {
        /// Takes the result of libcurl.
        func ended(with code: Int32) {
            if state.lingers { return stopLingering() }
            guard let exchange = state.exchange, state.end == nil else { return }
            if Int(code) == CCURL_E_OK, let upgrade = exchange.request.upgrade {
                return beginUpgrade(to: upgrade, of: exchange)
            }
            // libcurl takes a head that breaks off for a whole one.
            if Int(code) == CCURL_E_OK, state.head.isComplete { return finish(with: wholeness) }
            if exchange.isProbe, !state.chain.isEmpty { return finish(with: .success(())) }
            if let failure = state.failure { return finish(with: .failure(failure)) }
            if mayBeSentAgain(exchange, after: code) { return sendAgain(exchange) }
            finish(with: .failure(failure(of: code)))
        }

        /// A body that ended with its connection is whole only if TLS says so.
        private var wholeness: Result<Void, NetworkError> {
            guard state.endOfTLS == .awaited else { return .success(()) }
            return .failure(
                NetworkError(
                    .truncated,
                    "the connection ended after \(state.received) bytes, and TLS had not (RFC 9112, 9.8)"
                )
            )
        }

        private func stopLingering() {
            pool.remove(self)
            state.lingers = false
            reset()
        }

        /// Forgets the exchange and gives the handle back.
        func reset() {
            state = State()
            pool.keep(self)
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
                    isAtProxy: failedAtProxy(text),
                    systemError: ccurl_easy_long(easy, Int32(CCURL_INFO_OS_ERRNO)),
                    verification: ccurl_easy_long(easy, Int32(CCURL_INFO_SSL_VERIFYRESULT)),
                    proxyVerification: ccurl_easy_long(easy, Int32(CCURL_INFO_PROXY_SSL_VERIFYRESULT)),
                    proxyStatus: ccurl_easy_long(easy, Int32(CCURL_INFO_HTTP_CONNECTCODE)),
                    isConnected: isConnected,
                    mayHaveLeft: mayHaveLeft,
                    hasHead: state.head.isComplete,
                    received: Int(ccurl_easy_offset(easy, Int32(CCURL_INFO_SIZE_DOWNLOAD_T))),
                    announced: state.head.announcedLength
                )
            )
        }

        /// Whether a connection that could not be made was one to a proxy. libcurl's text names where it led.
        private func failedAtProxy(_ text: String) -> Bool {
            guard let origin = state.exchange?.origin, loop.configuration.unixSocket == nil else { return false }
            return text.hasPrefix("Failed to connect to ") && !text.contains(" \(origin.host) port \(origin.port) ")
        }

        private var mayHaveLeft: Bool {
            loop.library.callsBeforeRequests
                ? state.departures > 0 : ccurl_easy_long(easy, Int32(CCURL_INFO_REQUEST_SIZE)) > 0
        }

        /// Whether a request that got no answer goes out once more: only where a used connection died under it, which its
        /// server may have closed in the meantime.
        private func mayBeSentAgain(_ exchange: CurlExchange, after code: Int32) -> Bool {
            let deaths = [
                CCURL_E_ABORTED_BY_CALLBACK, CCURL_E_SEND_FAIL_REWIND, CCURL_E_SEND_ERROR, CCURL_E_RECV_ERROR,
                CCURL_E_GOT_NOTHING, CCURL_E_HTTP2, CCURL_E_HTTP2_STREAM,
            ]
            let wasUsed = state.departures > 1 || state.leftOverUsedConnection || Int(code) == CCURL_E_SEND_FAIL_REWIND
            return deaths.contains(Int(code)) && wasUsed && !exchange.isOver && mayBeRepeated(exchange)
        }

        /// Whether sending a request a second time is as good as once (RFC 9110, section 9.2.2), and it was not yet.
        func mayBeRepeated(_ exchange: CurlExchange) -> Bool {
            !state.wasResent && state.head.isUntouched && exchange.request.method.isIdempotent
                && exchange.request.body.isReplayable
        }

        func noteRepetition(of exchange: CurlExchange) {
            state.wasResent = true
            guard exchange.isMonitored else { return }
            exchange.note(.transport("sent again over a new connection: the used one died before any answer"))
        }

        private func sendAgain(_ exchange: CurlExchange) {
            pool.remove(self)
            state.upload?.close()
            state.upload = nil
            state.isStarved = false
            noteRepetition(of: exchange)
            prepare(exchange, onFreshConnection: true)
            pool.add(self)
        }

        func finish(with end: Result<Void, NetworkError>) {
            state.end = end
            measure()
            state.lingers = isHeldByResolver
            if !state.lingers { pool.remove(self) }
            state.upload?.close()
            touch()
        }

        /// Whether taking the transfer from libcurl would wait for the answer of a name server, and hold up all others. Then it
        /// stays until libcurl has that answer; nobody waits for it any more.
        private var isHeldByResolver: Bool {
            !loop.library.leavesResolvers && slot >= 0 && state.departures == 0
                && ccurl_easy_offset(easy, Int32(CCURL_INFO_NAMELOOKUP_TIME_T)) == 0
        }

        func measure() {
            guard let exchange = state.exchange else { return }
            var measured = metrics.read(
                from: easy,
                queued: state.begin - exchange.submission,
                version: state.tlsVersion,
                cipher: state.tlsCipher
            )
            measured.bytesSent = state.sent
            measured.bytesReceived = state.received
            state.metrics = measured
        }
    }
#endif
