#if canImport(Glibc)
    import Dispatch

    /// A socket to the kernel, the conversation over it, and who is told what comes of it.
    final class NetlinkListener: Sendable {
        private let socket: NetlinkSocket
        private let report: @Sendable (NetworkPath) -> Void
        private let conversation = Locked(NetlinkConversation())
        private let queue = DispatchQueue(label: "pipeline.network-path")
        nonisolated(unsafe) private let source: any DispatchSourceRead  // Dispatch sources may be used on any thread.

        init(_ socket: NetlinkSocket, _ report: @escaping @Sendable (NetworkPath) -> Void) {
            self.socket = socket
            self.report = report
            source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
            // Until the source has let go of the descriptor its handlers keep this object, and with it the socket.
            source.setEventHandler { self.listen() }
            source.setCancelHandler { withExtendedLifetime(self) {} }
        }

        /// Asks, reports what is answered at once, and listens from then on.
        func begin() {
            queue.sync { listen() }
            source.activate()
        }

        func end() { source.cancel() }

        /// How often everything is asked for at a time. While messages come so fast that they are lost, another try has to wait.
        private static let mostBeginnings = 3
        /// How long it waits. It bounds how late the end of such a flood is noticed.
        private static let respite = DispatchTimeInterval.milliseconds(50)

        /// Takes in all that is there, and asks for what is missing. Only the last of several paths is worth telling.
        private func listen() {
            if source.isCancelled { return }
            var beginnings = 0
            do throws(NetlinkSocket.Refusal) {
                while true {
                    switch try socket.read() {
                    case .datagram(let datagram):
                        try send(conversation.withLock { $0.take(datagram) })
                    case .lost:
                        conversation.withLock { $0.noteLoss() }
                    case .nothing where conversation.withLock({ $0.mustBegin && $0.failure == nil }):
                        guard beginnings < Self.mostBeginnings else {
                            return queue.asyncAfter(deadline: .now() + Self.respite) { self.listen() }
                        }
                        beginnings += 1
                        try send(conversation.withLock { $0.begin() })
                    case .nothing:
                        return tell()
                    }
                }
            } catch {
                giveUp(error.text)
            }
        }

        private func send(_ request: [UInt8]?) throws(NetlinkSocket.Refusal) {
            if let request { try socket.send(request) }
        }

        private func tell() {
            let (path, failure) = conversation.withLock { ($0.isSettled ? $0.path { $0.kind } : nil, $0.failure) }
            if let path { report(path) } else if let failure { giveUp(failure) }
        }

        /// From here on nothing is known.
        private func giveUp(_ reason: String) {
            source.cancel()
            report(NetworkPath(.unknown, obstacle: reason))
        }
    }
#endif
