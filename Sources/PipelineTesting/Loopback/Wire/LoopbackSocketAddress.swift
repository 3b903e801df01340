#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A loopback address with a port, in the form the socket calls take.
struct LoopbackSocketAddress {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    init(_ address: LoopbackServer.Address, port: UInt16) {
        switch address {
        case .ipv4:
            var ipv4 = sockaddr_in()
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            inet_pton(AF_INET, "127.0.0.1", &ipv4.sin_addr)
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv4, as: sockaddr_in.self) }
        case .ipv6:
            var ipv6 = sockaddr_in6()
            ipv6.sin6_family = sa_family_t(AF_INET6)
            ipv6.sin6_port = port.bigEndian
            inet_pton(AF_INET6, "::1", &ipv6.sin6_addr)
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv6, as: sockaddr_in6.self) }
        }
    }

    /// The port, which stands at the same place in both families.
    var port: UInt16 {
        withUnsafeBytes(of: storage) { $0.load(fromByteOffset: 2, as: UInt16.self) }.bigEndian
    }

    mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let length = length
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// Fills in the address that the descriptor is bound to. False if the system does not tell.
    mutating func readName(of descriptor: Int32) -> Bool {
        withPointer { pointer, length in
            var length = length
            return getsockname(descriptor, pointer, &length) == 0
        }
    }
}
