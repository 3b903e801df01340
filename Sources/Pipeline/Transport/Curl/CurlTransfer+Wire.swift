#if canImport(Glibc)
    import CCurl
    import Foundation

    /// What libcurl calls while it works on a transfer. Nothing here may call libcurl back but for facts.
    extension CurlTransfer {
        /// Takes a line of a head.
        func receive(headLine line: UnsafeRawBufferPointer) -> Bool {
            state.lastSign = loop.now
            switch state.head.take(line) {
            case .more:
                return state.exchange != nil
            case .interim(let status, let lines):
                guard let exchange = state.exchange else { return false }
                if exchange.isMonitored {
                    exchange.note(.interimResponse(HTTPStatus(status), HTTPHeaders(lines: lines)))
                }
                return true
            case .complete:
                guard let exchange = state.exchange else { return false }
                touch()
                watchConnection(of: exchange)
                return checkAnnouncedLength(for: exchange)
            case .violation(let error):
                state.failure = error
                return false
            }
        }

        /// Has the end of TLS watched for where only the end of the connection ends the body.
        private func watchConnection(of exchange: CurlExchange) {
            guard exchange.isSecure, state.head.isEndedByConnection, exchange.request.method != .head,
                loop.library.tlsObstacle == nil
            else { return }
            state.endOfTLS = .awaited
            options.watchProgress(true)
        }

        /// Looks whether the other side has said that nothing follows. Without that, anybody on the way can have cut the body
        /// off (RFC 9112, section 9.8). When the transfer has ended it is too late to look.
        func noteEndOfTLS() {
            if ccurl_tls_has_ended(ccurl_tls(easy)) == 1 { state.endOfTLS = .seen }
        }

        private func checkAnnouncedLength(for exchange: CurlExchange) -> Bool {
            guard let limit = exchange.request.maximumResponseSize, let length = state.head.announcedLength,
                length > limit, state.head.codings == 0, exchange.request.method != .head, state.head.status != 204,
                state.head.status != 304
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
            keep(bytes, of: exchange)
            return true
        }

        /// Keeps what came until the end of the turn.
        func keep(_ bytes: UnsafeRawBufferPointer, of exchange: CurlExchange) {
            if bytes.count >= Self.largePiece, let pipe = state.pipe { return hand(bytes, to: pipe) }
            let length = state.head.announcedLength ?? 0
            if state.body.isEmpty, length <= bytes.count {
                state.body = Data(bytes)  // Most small bodies come in one piece.
            } else {
                if state.body.isEmpty, length <= Self.gatheredAtOnce { state.body.reserveCapacity(length) }
                state.body.append(contentsOf: bytes)
            }
            touch()
            holdIfFull(exchange)
        }

        /// From here on a piece is handed over by itself, rather than copied behind others until the end of the turn.
        private static let largePiece = 32 * 1024

        private func hand(_ piece: UnsafeRawBufferPointer, to pipe: BodyPipe) {
            pipe.write(state.body)
            state.body = Data()
            guard !pipe.write(Data(piece)), !state.isHeld else { return }
            state.isHeld = true
            applyPauses()
        }

        /// Holds a transfer that has brought enough for one turn. libcurl would go on with what the system has, a hundred pieces
        /// in a row, each of which can be a thousand times its size once it is decompressed. The pipe is given all of it at the
        /// end of the turn, is full then, and says when to go on.
        private func holdIfFull(_ exchange: CurlExchange) {
            guard exchange.request.delivery != .gathered, !state.isHeld,
                state.body.count >= loop.configuration.readAhead
            else { return }
            state.isHeld = true
            applyPauses()
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

        /// Whether nothing of the body has been read. Once something has, a body is not sent a second time behind our back: when
        /// a used connection dies, libcurl cannot go back and fails instead.
        var isAtBeginning: Bool { state.sent == 0 }

        /// Sets up a connection that is being made: it has the trust roots of the policy, and tells how TLS ends.
        func prepare(_ tlsContext: UnsafeMutableRawPointer) -> Bool {
            ccurl_tls_require_end(tlsContext)
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
            state.departures += 1
            // After a failure libcurl does not tell this any more.
            state.leftOverUsedConnection = ccurl_easy_long(easy, Int32(CCURL_INFO_NUM_CONNECTS)) == 0
            guard state.departures == 1 || mayDepartAgain(exchange) else { return false }
            guard exchange.isSecure else { return true }
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
            guard let rule = exchange.pins else { return true }
            state.failure = failure(of: connection, under: rule, of: exchange)
            if state.failure != nil { state.departures -= 1 }
            return state.failure == nil
        }

        /// Why a connection must not be used for an exchange, if it must not. What is only to be reported is.
        private func failure(
            of connection: UnsafeMutableRawPointer?,
            under rule: PinRule,
            of exchange: CurlExchange
        ) -> NetworkError? {
            do {
                guard
                    let violation = try VerifiedChain.violation(
                        of: connection,
                        against: rule,
                        for: exchange.origin.host
                    )
                else { return nil }
                if exchange.isMonitored { exchange.note(.pinViolation(violation)) }
                return violation.isRefused ? NetworkError(violation) : nil
            } catch {
                return error
            }
        }

        /// Whether libcurl may send the request a second time, which it wants to because a used connection has died. Over
        /// another used one it may not: that could die too. What then is decided at the end.
        private func mayDepartAgain(_ exchange: CurlExchange) -> Bool {
            guard state.departures == 2, !state.leftOverUsedConnection, mayBeRepeated(exchange) else { return false }
            noteRepetition(of: exchange)
            return true
        }
    }
#endif
