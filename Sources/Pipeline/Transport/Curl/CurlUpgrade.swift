#if canImport(Glibc)
    import CCurl
    import Foundation

    /// A connection that libcurl has made, with proxy, TLS and pins, and leaves to us: the request and the answer are written and
    /// read here, and after a 101 the bytes of another protocol.
    ///
    /// Everything is touched by the loop's thread alone.
    final class CurlUpgrade {
        /// The socket, to be waited for.
        let descriptor: Int32
        /// Whether the server has switched protocols.
        private(set) var isSwitched = false

        private unowned let transfer: CurlTransfer
        private let outbox: CurlOutbox
        private var line: [UInt8] = []
        /// Set when the head was that of a refusal.
        private var framing: BodyFraming?
        /// What is being sent. When a socket has no room OpenSSL wants to be given the same memory again.
        private var output: UnsafeMutableRawBufferPointer?
        private var unsent = 0..<0
        private var wantsRoom = false
        /// Whether nothing can be sent any more. What the server has sent may still be on its way to the reader.
        private var isMute = false
        /// Whether the transfer has ended, whoever ended it: libcurl has closed the connection then.
        private var isOver: Bool { transfer.state.end != nil }

        /// How much is read or written at once.
        private static let pieceSize = 64 * 1024
        /// How much is written before others have their turn.
        private static let turnSize = 1 << 20

        init(_ transfer: CurlTransfer, outbox: CurlOutbox) {
            self.transfer = transfer
            self.outbox = outbox
            descriptor = ccurl_easy_socket(transfer.easy)
        }

        deinit { output?.deallocate() }

        /// Does what can be done.
        func act(on events: UInt32) {
            if wantsRoom, events & ~EPOLLIN.rawValue != 0 { write() }
            if events & ~EPOLLOUT.rawValue != 0 { read() }
        }

        /// Tells the loop what to wait for.
        private func watch() {
            guard !isOver else { return }
            var what = transfer.state.isHeld ? 0 : CCURL_POLL_IN
            if wantsRoom { what |= CCURL_POLL_OUT }
            transfer.pool.watch(descriptor, for: what == 0 ? CCURL_POLL_REMOVE : what)
        }

        /// Follows the reader, who has fallen behind or has room again.
        func followReader() {
            if transfer.state.isHeld { watch() } else { read() }
        }

        private func end(with end: Result<Void, NetworkError>) {
            if !isOver { transfer.finish(with: end) }
        }

        // MARK: Writing

        /// Sends what waits, as far as there is room.
        func write() {
            guard !isOver, !isMute else { return }
            let buffer = output ?? .allocate(byteCount: Self.pieceSize, alignment: 16)
            output = buffer
            wantsRoom = false
            var total = 0
            while !isOver {
                if unsent.isEmpty {
                    unsent = 0..<outbox.take(into: buffer)
                    guard !unsent.isEmpty else { break }
                }
                guard total < Self.turnSize, let count = send(buffer) else {
                    wantsRoom = !isMute
                    break
                }
                unsent = unsent.lowerBound + count..<unsent.upperBound
                total += count
                transfer.state.sent += count
                outbox.meter.sent(count)
            }
            if unsent.isEmpty {
                // Most connections are silent most of the time.
                buffer.deallocate()
                output = nil
            }
            if total > 0 { transfer.state.lastSign = transfer.loop.now }
            // Whether the server has ended the connection too is for reading to find out.
            if isMute { followReader() } else { watch() }
        }

        /// Sends a piece; `nil` if there is no room, or nothing can be sent any more.
        private func send(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
            let piece = UnsafeRawBufferPointer(rebasing: buffer[unsent])
            var count = 0
            let code = ccurl_easy_send(transfer.easy, piece.baseAddress, piece.count, &count)
            switch Int(code) {
            case CCURL_E_OK: return count
            case CCURL_E_AGAIN: return nil
            default:
                // What the server has said before it closed is worth more: only those who send are told.
                isMute = true
                unsent = 0..<0
                outbox.end(with: lost(code))
                return nil
            }
        }

        // MARK: Reading

        /// Reads until there is nothing, or the reader has enough.
        private func read() {
            while !isOver, !transfer.state.isHeld {
                let buffer = transfer.loop.scratch
                var count = 0
                let code = ccurl_easy_recv(transfer.easy, buffer.baseAddress, buffer.count, &count)
                if Int(code) == CCURL_E_AGAIN { break }
                guard Int(code) == CCURL_E_OK else { return end(with: .failure(lost(code))) }
                guard count > 0 else { return end(with: ending) }
                transfer.state.lastSign = transfer.loop.now
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            watch()
        }

        /// What the end of the connection means.
        private var ending: Result<Void, NetworkError> {
            if isSwitched || framing?.mayEnd == true { return .success(()) }
            guard framing != nil else {
                return .failure(NetworkError(.connectionLost, "the connection ended within the head of the response"))
            }
            return .failure(NetworkError(.truncated, "the body ended early, after \(transfer.state.received) bytes"))
        }

        private func lost(_ code: Int32) -> NetworkError {
            let text = String(cString: ccurl_easy_text(code))
            return NetworkError(.connectionLost, underlying: CurlError(code: Int(code), text: text))
        }

        private func take(_ bytes: UnsafeRawBufferPointer) {
            var rest = bytes
            while !isSwitched, framing == nil {
                guard !rest.isEmpty else { return }
                let count = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.count
                line += rest[..<count]
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                guard line.last == UInt8(ascii: "\n") || line.count > transfer.loop.configuration.maximumHeadSize else {
                    return
                }
                guard line.withUnsafeBytes({ transfer.receive(headLine: $0) }) else {
                    let failure = transfer.state.failure ?? NetworkError(.protocolViolation)
                    return end(with: .failure(failure))
                }
                line = []
                if transfer.state.head.isComplete { endHead() }
            }
            if isSwitched { transfer.receive(switched: rest) } else { takeBody(rest) }
        }

        private func endHead() {
            let head = transfer.state.head
            guard head.status != 101 else {
                isSwitched = true
                transfer.noteSwitch()
                return
            }
            framing = BodyFraming(of: head)
        }

        private func takeBody(_ bytes: UnsafeRawBufferPointer) {
            do {
                guard let body = try framing?.read(Data(bytes)) else { return }
                if !body.isEmpty, !body.withUnsafeBytes({ transfer.receive($0) }) {
                    return end(with: .failure(transfer.state.failure ?? NetworkError(.transportFailed)))
                }
                if framing?.isOver == true { end(with: .success(())) }
            } catch {
                end(with: .failure(error))
            }
        }
    }

    extension CurlTransfer {
        /// Begins to speak over a connection that was made.
        func beginUpgrade(to name: String, of exchange: CurlExchange) {
            guard let outbox = exchange.outbox else { return }
            state.departures = max(state.departures, 1)
            state.lastSign = loop.now
            _ = outbox.append(
                UpgradeHead.bytes(
                    of: exchange.request,
                    upgradingTo: name,
                    at: exchange.origin,
                    userAgent: loop.configuration.userAgent
                )
            )
            let upgrade = CurlUpgrade(self, outbox: outbox)
            state.upgrade = upgrade
            upgrade.write()
        }

        /// Notes that the server has switched: the connection is no request any more that others wait for.
        func noteSwitch() {
            guard let exchange = state.exchange else { return }
            exchange.hasSwitched = true
            loop.switched(exchange)
        }

        /// Takes bytes of the other protocol.
        func receive(switched bytes: UnsafeRawBufferPointer) {
            guard let exchange = state.exchange, !bytes.isEmpty else { return }
            state.received += bytes.count
            keep(bytes, of: exchange)
        }
    }
#endif
