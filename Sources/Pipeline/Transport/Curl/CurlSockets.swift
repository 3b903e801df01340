#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The sockets of a pool and what the kernel was asked to tell about them.
    ///
    /// libcurl stops watching a connection after each request and begins again with the next. The kernel is not told of that: it
    /// is asked to be silent only if it speaks of a socket that nobody watches, which an unused connection hardly ever brings
    /// about. For that the table must know when a descriptor becomes another's, so sockets are opened and closed here. Others,
    /// such as those by which a resolver thread tells that it is done, come and go unseen, and the kernel is told of each step.
    struct CurlSockets {
        private struct Interest {
            var wanted: UInt32 = 0
            var registered: UInt32 = 0
        }

        private let selector: Int32
        /// Marks the events of this pool.
        private let mark: UInt64
        private var interests: [Int32: Interest] = [:]

        init(selector: Int32, poolNumber: UInt32) {
            self.selector = selector
            mark = UInt64(poolNumber) << 32
        }

        /// Opens a socket for libcurl; -1 if that fails.
        mutating func open(family: Int32, type: Int32, protocol number: Int32) -> Int32 {
            let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
            if descriptor >= 0 { interests[descriptor] = Interest() }
            return descriptor
        }

        /// Closes a socket; the kernel forgets what it was asked.
        mutating func close(_ descriptor: Int32) -> Int32 {
            interests[descriptor] = nil
            return Glibc.close(descriptor)
        }

        /// Follows what libcurl wants to know of a socket.
        mutating func watch(_ descriptor: Int32, for what: Int) {
            var wanted: UInt32 = 0
            if what != CCURL_POLL_REMOVE {
                if what & CCURL_POLL_IN != 0 { wanted |= EPOLLIN.rawValue }
                if what & CCURL_POLL_OUT != 0 { wanted |= EPOLLOUT.rawValue }
            }
            guard var interest = interests[descriptor] else {
                return tell(descriptor, wanted, isKnown: wanted == 0)
            }
            interest.wanted = wanted
            if wanted != 0, wanted != interest.registered {
                tell(descriptor, wanted, isKnown: interest.registered != 0)
                interest.registered = wanted
            }
            interests[descriptor] = interest
        }

        /// Whether an event of a socket is for libcurl. One that nobody waits for has the kernel be silent about the socket.
        mutating func isWatched(_ descriptor: Int32) -> Bool {
            guard let interest = interests[descriptor], interest.wanted == 0 else { return true }
            tell(descriptor, 0, isKnown: true)
            interests[descriptor]?.registered = 0
            return false
        }

        private func tell(_ descriptor: Int32, _ events: UInt32, isKnown: Bool) {
            var event = epoll_event()
            event.events = events
            event.data.u64 = mark | UInt64(UInt32(bitPattern: descriptor))
            guard events != 0 else {
                epoll_ctl(selector, EPOLL_CTL_DEL, descriptor, &event)
                return
            }
            if epoll_ctl(selector, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event) != 0 {
                // A descriptor that was closed and opened again unseen is new to the kernel, or the other way round.
                epoll_ctl(selector, isKnown ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event)
            }
        }
    }
#endif
