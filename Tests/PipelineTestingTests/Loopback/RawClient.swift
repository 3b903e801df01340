import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A client that sends and reads bytes as it is told, with a blocking socket of its own.
final class RawClient {
    private(set) var descriptor: Int32

    init(port: Int, ipv6: Bool = false) throws {
        descriptor = try Self.makeSocket(ipv6: ipv6)
        guard Self.connect(descriptor, port: port, ipv6: ipv6) == 0 else {
            let code = errno
            close()
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
    }

    deinit {
        close()
    }

    static func makeSocket(ipv6: Bool = false) throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        return descriptor
    }

    static func connect(_ descriptor: Int32, port: Int, ipv6: Bool = false) -> Int32 {
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(port).bigEndian
            inet_pton(AF_INET6, "::1", &address.sin6_addr)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connectSocket(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connectSocket(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func send(_ text: String) throws {
        try send(Data(text.utf8))
    }

    func send(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = sendBytes(descriptor, rest.baseAddress, rest.count)
                guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Sends what the system takes at once. Returns how many bytes that was.
    func sendWithoutWaiting(_ data: Data) -> Int {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        defer { _ = fcntl(descriptor, F_SETFL, flags) }
        return data.withUnsafeBytes { sendBytes(descriptor, $0.baseAddress, $0.count) }
    }

    /// Reads up to `limit` bytes; none at the end of the stream.
    func read(upTo limit: Int = 64 * 1024) throws -> Data {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return Data(buffer[..<count])
    }

    /// Reads until the text read so far ends in `suffix`, or to the end of the stream.
    func read(through suffix: String) throws -> String {
        var data = Data()
        while !data.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
            let more = try read(upTo: 1)
            if more.isEmpty { break }
            data.append(more)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Reads to the end of the stream.
    func readToEnd() throws -> Data {
        var data = Data()
        while true {
            let more = try read()
            if more.isEmpty { return data }
            data.append(more)
        }
    }

    func readTextToEnd() throws -> String {
        String(decoding: try readToEnd(), as: UTF8.self)
    }

    func finishSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    func close() {
        if descriptor >= 0 { _ = shutDescriptor(descriptor) }
        descriptor = -1
    }

    /// Closes with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }
}

// Outside the type, where these names mean the system's functions.

private func shutDescriptor(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}

private func connectSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        send(descriptor, bytes, count, 0)
    #else
        send(descriptor, bytes, count, 0x4000)  // MSG_NOSIGNAL
    #endif
}
