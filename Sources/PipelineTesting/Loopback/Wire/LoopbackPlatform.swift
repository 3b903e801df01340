#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What differs between the C libraries, in one place.
///
/// Numbers stand here where a header's macro does not reach Swift, or reaches it with another type on each system. They are
/// part of the kernels' binary interfaces and do not change.
enum LoopbackPlatform {
    #if canImport(Darwin)
        static let streamSocket = SOCK_STREAM
        /// Darwin has no such flag; `SO_NOSIGPIPE` is set on each socket instead.
        static let sendFlags: Int32 = 0
        /// `POLLHUP`: also reported when the peer has finished sending.
        static let peerFinished = Int16(POLLHUP)
    #else
        static let streamSocket: Int32 = 1  // SOCK_STREAM
        static let sendFlags: Int32 = 0x4000  // MSG_NOSIGNAL
        static let peerFinished: Int16 = 0x2000  // POLLRDHUP
    #endif

    /// Keeps the descriptor out of child processes, which would hold the connection open.
    static func closeOnExec(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Makes reads and writes on the descriptor return at once, or wait.
    static func setBlocking(_ isBlocking: Bool, _ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, isBlocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    static func setOption(_ level: Int32, _ name: Int32, _ value: Int32, on descriptor: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits until one of the descriptors has something to report, again after each interrupting signal.
    ///
    /// - Parameters:
    ///   - entries: What to wait for. What was reported is written into it.
    ///   - deadline: When to give up; nil waits without limit.
    /// - Returns: Whether something was reported. If not, time is up.
    static func poll(_ entries: inout [pollfd], until deadline: ContinuousClock.Instant?) -> Bool {
        while true {
            var timeout: Int32 = -1
            if let deadline {
                let left = ContinuousClock.now.duration(to: deadline)
                if left <= .zero { return false }
                // Rounded up, so as not to spin through the last fraction of a millisecond.
                timeout = Int32(clamping: left.components.seconds.multipliedClamped(by: 1000))
                let rest = left.components.attoseconds / 1_000_000_000_000_000 + 1
                timeout = timeout == .max ? .max : timeout &+ Int32(rest)
            }
            let count = pollOnce(&entries, timeout)
            if count > 0 { return true }
            if count < 0 && errno != EINTR { return true }
        }
    }

    private static func pollOnce(_ entries: inout [pollfd], _ timeout: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.poll(&entries, nfds_t(entries.count), timeout)
        #elseif canImport(Glibc)
            Glibc.poll(&entries, nfds_t(entries.count), timeout)
        #else
            Musl.poll(&entries, nfds_t(entries.count), timeout)
        #endif
    }
}

extension Int64 {
    fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
