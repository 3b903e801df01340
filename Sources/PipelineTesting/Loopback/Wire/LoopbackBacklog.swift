import Foundation
import Pipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Connections that fill the queue of a listener which never accepts.
final class LoopbackBacklog: Sendable {
    private let descriptors = Locked<[Int32]>([])

    /// More than any system queues for a backlog of zero.
    private static let maximumCount = 64

    /// Connects until an attempt is left hanging.
    init(filling address: LoopbackServer.Address, port: Int) throws {
        var target = LoopbackSocketAddress(address, port: UInt16(port))
        for _ in 0..<Self.maximumCount {
            let descriptor = socket(address == .ipv4 ? AF_INET : AF_INET6, LoopbackPlatform.streamSocket, 0)
            guard descriptor >= 0 else { throw LoopbackError("socket") }
            descriptors.withLock { $0.append(descriptor) }
            LoopbackPlatform.closeOnExec(descriptor)
            LoopbackPlatform.setBlocking(false, descriptor)
            _ = target.withPointer { connect(descriptor, $0, $1) }
            // On the loopback address a connection that the queue has room for is there within microseconds.
            var entries = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
            if !LoopbackPlatform.poll(&entries, until: .now + .milliseconds(50)) { return }
        }
    }

    deinit {
        close()
    }

    func close() {
        let open = descriptors.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
        for descriptor in open { closeDescriptor(descriptor) }
    }
}

private func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
}
