#if canImport(Glibc)
    /// What Linux's kernel reports.
    ///
    /// The first path is there when `start` returns: the kernel answers within the calls that ask. After that a dispatch source
    /// listens, so there is no thread that could be left behind.
    final class NetlinkPathSource: NetworkPathSource {
        private let listener = Locked<NetlinkListener?>(nil)

        func start(_ report: @escaping @Sendable (NetworkPath) -> Void) {
            do throws(NetlinkSocket.Refusal) {
                let listener = NetlinkListener(try NetlinkSocket(), report)
                self.listener.withLock { $0 = listener }
                listener.begin()
            } catch {
                report(NetworkPath(.unknown, obstacle: error.text))
            }
        }

        func stop() {
            let listener = listener.withLock { $0.take() }
            listener?.end()
        }
    }
#endif
