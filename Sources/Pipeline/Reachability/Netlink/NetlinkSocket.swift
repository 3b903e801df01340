#if canImport(Glibc)
    import Glibc

    /// A socket to the kernel's rtnetlink. It closes when it is released.
    final class NetlinkSocket: Sendable {
        let descriptor: Int32

        /// The kernel puts no more into a datagram (NLMSG_GOODSIZE is far less, answers to lists may have 32 KiB).
        private static let largestDatagram = 64 * 1024

        /// Opens a socket that hears of links, addresses and routes.
        ///
        /// - Throws: ``Refusal`` if the system does not allow it.
        init() throws(Refusal) {
            descriptor = socket(
                Int32(Netlink.family),
                Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                Netlink.routeProtocol
            )
            guard descriptor >= 0 else { throw Refusal(step: "opening a socket to the kernel", error: errno) }
            let isBound = Self.withAddress(groups: Netlink.groups) { bind(descriptor, $0, $1) } == 0
            guard isBound else {
                let refusal = Refusal(step: "listening to the kernel", error: errno)
                close(descriptor)
                throw refusal
            }
        }

        deinit { close(descriptor) }

        /// Sends a request.
        func send(_ request: [UInt8]) throws(Refusal) {
            let sent = Self.withAddress(groups: 0) { address, length in
                sendto(descriptor, request, request.count, Int32(MSG_NOSIGNAL), address, length)
            }
            guard sent == request.count else { throw Refusal(step: "asking the kernel", error: errno) }
        }

        /// What a look into the socket finds.
        enum Reading {
            case datagram([UInt8])
            /// Messages were lost, because they came faster than they were read or were too large.
            case lost
            case nothing
        }

        /// Takes the next datagram, without waiting.
        func read() throws(Refusal) -> Reading {
            while true {
                var sender = SenderAddress()
                var size = socklen_t(MemoryLayout<SenderAddress>.size)
                var count = 0
                let buffer = [UInt8](unsafeUninitializedCapacity: Self.largestDatagram) { buffer, filled in
                    count = withUnsafeMutableBytes(of: &sender) { sender in
                        let address = sender.baseAddress?.assumingMemoryBound(to: sockaddr.self)
                        return recvfrom(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_TRUNC), address, &size)
                    }
                    filled = min(max(0, count), buffer.count)
                }
                if count > Self.largestDatagram { return .lost }
                if count >= 0 {
                    // Only what the kernel sent, whose number is zero.
                    if sender.port == 0 { return .datagram(buffer) }
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: return .nothing
                case ENOBUFS: return .lost
                default: throw Refusal(step: "listening to the kernel", error: errno)
                }
            }
        }

        /// Why the kernel does not tell.
        struct Refusal: Error {
            var step: String
            var error: Int32

            var text: String { "\(step) failed: \(String(cString: strerror(error)))" }
        }

        /// `struct sockaddr_nl`: family, two bytes unused, number, groups.
        private struct SenderAddress {
            var family = Netlink.family
            var unused = UInt16(0)
            var port = UInt32(0)
            var groups = UInt32(0)
        }

        private static func withAddress<Result>(
            groups: UInt32,
            _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            let address = SenderAddress(groups: groups)
            return withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<SenderAddress>.size))
                }
            }
        }
    }
#endif
