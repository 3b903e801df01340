#if canImport(Glibc)
    import CCurl
    import Foundation

    /// Connections that may stand in for one another, and the transfers over them: one multi handle of libcurl.
    ///
    /// Each TLS policy has a pool of its own. So a connection, a TLS session or a cached store of roots is never used under a
    /// policy other than the one it was made for, whatever libcurl takes for equal.
    final class CurlPool {
        struct Key: Equatable, Sendable {
            /// `nil` without TLS.
            let tls: TLSPolicy?
            /// Whether requests may share a connection at the same time (HTTP/2).
            let isShared: Bool
            /// Whether it is for one connection that leaves HTTP.
            let isUpgrade: Bool

            init(for request: NetworkRequest, under tls: TLSPolicy?, allowsHTTP2: Bool) {
                self.tls = tls
                isUpgrade = request.upgrade != nil
                // A held stream would fill its connection's window for others, so over HTTP/2 each has a connection of its own.
                isShared = !isUpgrade && (tls == nil || !allowsHTTP2 || request.delivery == .gathered)
            }
        }

        let key: Key
        /// When libcurl wants to be called.
        @exclusivity(unchecked) private(set) var deadline: UInt64?

        /// Marks its sockets among those of other pools.
        let number: UInt32

        private let loop: CurlLoop
        private let multi: ccurl_multi
        @exclusivity(unchecked) private var running: [CurlTransfer] = []
        @exclusivity(unchecked) private var kept: [CurlTransfer] = []
        @exclusivity(unchecked) private var sockets: CurlSockets
        @exclusivity(unchecked) private var restStart: UInt64?

        /// How many handles are kept for later. Each is some 10 KB.
        private static let keptHandles = 64

        init(key: Key, number: UInt32, loop: CurlLoop) {
            self.key = key
            self.number = number
            self.loop = loop
            sockets = CurlSockets(selector: loop.selector, poolNumber: number)
            // Only for want of memory, after which Swift's own next allocation would stop the program.
            guard let multi = ccurl_multi_create() else { fatalError("libcurl is out of memory") }
            self.multi = multi
            let context = Unmanaged.passUnretained(self).toOpaque()
            ccurl_multi_set_socket_callback(multi, socketChanged, context)
            ccurl_multi_set_timer_callback(multi, timerChanged, context)
            ccurl_multi_set_long(
                multi,
                Int32(CCURL_MOPT_PIPELINING),
                key.isShared ? CCURL_PIPE_MULTIPLEX : CCURL_PIPE_NOTHING
            )
            ccurl_multi_set_long(multi, Int32(CCURL_MOPT_MAXCONNECTS), loop.configuration.maximumRequests)
        }

        // MARK: Transfers

        func start(_ exchange: CurlExchange) {
            restStart = nil
            let transfer = kept.popLast() ?? CurlTransfer(pool: self, loop: loop)
            transfer.begin(exchange)
            add(transfer)
        }

        /// Lets libcurl begin, or begin again.
        func add(_ transfer: CurlTransfer) {
            transfer.slot = running.count
            running.append(transfer)
            let code = ccurl_multi_add(multi, transfer.easy)
            guard code != 0 else { return }
            remove(transfer)
            transfer.fail(NetworkError(.transportFailed, String(cString: ccurl_multi_text(code)), reach: .no))
        }

        /// Takes a transfer from libcurl. Its connection is kept if the transfer was done.
        func remove(_ transfer: CurlTransfer) {
            guard transfer.slot >= 0 else { return }
            ccurl_multi_remove(multi, transfer.easy)
            let last = running.removeLast()
            if last !== transfer {
                running[transfer.slot] = last
                last.slot = transfer.slot
            }
            transfer.slot = -1
        }

        /// Keeps a transfer's handle for another request.
        func keep(_ transfer: CurlTransfer) {
            if kept.count < Self.keptHandles, !key.isUpgrade { kept.append(transfer) }
        }

        var runningCount: Int { running.count }

        /// Whether no body is handed over while it arrives, as far as that is quick to tell.
        var runsNoStream: Bool { running.count > 1 || running.first?.isStreaming != true }

        func failAll(with error: NetworkError) {
            for transfer in running { transfer.fail(error) }
        }

        /// Looks for transfers that have been quiet for too long.
        func inspect(at now: UInt64) {
            for transfer in running {
                if let moment = transfer.inspect(at: now) { loop.inspect(at: moment) }
            }
        }

        /// Since when nobody has used it; `nil` while somebody does.
        func restingSince(_ now: UInt64) -> UInt64? {
            guard running.isEmpty else { return nil }
            let start = restStart ?? now
            restStart = start
            return start
        }

        /// Closes its connections, and lets go of its transfers, which know it. They and the pool know the loop, which lets go
        /// of a pool that it has closed. References that are not counted would have to be checked at each use.
        func close() {
            kept = []
            ccurl_multi_free(multi)
            running = []
        }

        // MARK: What libcurl asks for, and is told

        func actIfDue(at now: UInt64) {
            // Once a turn: a fast body has libcurl ask to be called again and again, and what came must be handed over between.
            guard let due = deadline, due <= now else { return }
            deadline = nil
            act(on: CCURL_SOCKET_TIMEOUT, with: 0)
        }

        func act(on descriptor: Int32, events: UInt32) {
            guard sockets.isWatched(descriptor) else { return }
            if let upgrade = running.first?.state.upgrade, upgrade.descriptor == descriptor {
                return upgrade.act(on: events)
            }
            var mask = 0
            if events & EPOLLIN.rawValue != 0 { mask |= CCURL_CSELECT_IN }
            if events & EPOLLOUT.rawValue != 0 { mask |= CCURL_CSELECT_OUT }
            if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CCURL_CSELECT_ERR }
            act(on: Int(descriptor), with: mask)
        }

        private func act(on descriptor: Int, with mask: Int) {
            ccurl_multi_act(multi, Int32(descriptor), Int32(mask))
            var code: Int32 = 0
            while let easy = ccurl_multi_next_ended(multi, &code) {
                guard let context = ccurl_easy_string(easy, Int32(CCURL_INFO_PRIVATE)) else { continue }
                Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().ended(with: code)
            }
        }

        fileprivate func setTimer(_ milliseconds: Int) {
            deadline = milliseconds < 0 ? nil : loop.now + UInt64(milliseconds) * 1_000_000
        }

        /// Waits for what a socket can do, from now on.
        func watch(_ descriptor: Int32, for what: Int) { sockets.watch(descriptor, for: what) }

        fileprivate func open(_ address: UnsafePointer<Int32>) -> Int32 {
            sockets.open(family: address[0], type: address[1], protocol: address[2])
        }

        fileprivate func close(_ descriptor: Int32) -> Int32 { sockets.close(descriptor) }

        /// Has libcurl open and close sockets here.
        func serveSockets(of easy: ccurl_easy) {
            let context = Unmanaged.passUnretained(self).toOpaque()
            ccurl_easy_set_socket_callbacks(easy, openSocket, closeSocket)
            ccurl_easy_set_pointer(easy, Int32(CCURL_OPT_OPENSOCKETDATA), context)
            ccurl_easy_set_pointer(easy, Int32(CCURL_OPT_CLOSESOCKETDATA), context)
        }
    }

    private func socketChanged(
        _ easy: ccurl_easy?,
        _ descriptor: Int32,
        _ what: Int32,
        _ context: UnsafeMutableRawPointer?,
        _ assigned: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let context else { return 0 }
        Unmanaged<CurlPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.watch(descriptor, for: Int(what)) }
        return 0
    }

    private func timerChanged(_ multi: ccurl_multi?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?) -> Int32
    {
        guard let context else { return 0 }
        Unmanaged<CurlPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds) }
        return 0
    }

    private func openSocket(_ context: UnsafeMutableRawPointer?, _ purpose: Int32, _ address: UnsafePointer<Int32>?)
        -> Int32
    {
        guard let context, let address else { return -1 }
        return Unmanaged<CurlPool>.fromOpaque(context).takeUnretainedValue().open(address)
    }

    private func closeSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: Int32) -> Int32 {
        guard let context else { return Glibc.close(descriptor) }
        return Unmanaged<CurlPool>.fromOpaque(context).takeUnretainedValue().close(descriptor)
    }
#endif
