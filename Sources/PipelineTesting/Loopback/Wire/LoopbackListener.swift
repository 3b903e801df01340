import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A descriptor bound to a loopback address.
final class LoopbackListener: Sendable {
    let descriptor: Int32
    let port: Int
    private let wakeUp: LoopbackWakeUp

    /// Binds without listening: connections to the port are refused, and nobody else can get it.
    init(_ address: LoopbackServer.Address, port: Int) throws {
        wakeUp = try LoopbackWakeUp()
        let family = address == .ipv4 ? AF_INET : AF_INET6
        let descriptor = socket(family, LoopbackPlatform.streamSocket, 0)
        guard descriptor >= 0 else { throw LoopbackError("socket") }
        LoopbackPlatform.closeOnExec(descriptor)
        LoopbackPlatform.setBlocking(false, descriptor)
        if port != 0 {
            // The port may be one whose last connections linger. A port of the system's choice must stay ours alone.
            allowReuse(descriptor)
        }
        do {
            var bound = LoopbackSocketAddress(address, port: UInt16(clamping: port))
            guard bound.withPointer({ bind(descriptor, $0, $1) }) == 0 else { throw LoopbackError("bind") }
            guard bound.readName(of: descriptor) else { throw LoopbackError("getsockname") }
            self.port = Int(bound.port)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    func listen(backlog: Int32) throws {
        allowReuse(descriptor)  // Connections inherit it, and the system asks both them and whoever comes after.
        #if canImport(Darwin)
            let status = Darwin.listen(descriptor, backlog)
        #elseif canImport(Glibc)
            let status = Glibc.listen(descriptor, backlog)
        #else
            let status = Musl.listen(descriptor, backlog)
        #endif
        if status != 0 { throw LoopbackError("listen") }
    }

    /// Waits for the next connection. Nil after ``interrupt()``.
    func accept() -> LoopbackSocket? {
        var deadline: ContinuousClock.Instant?
        while true {
            var entries = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
            if deadline == nil { entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
            _ = LoopbackPlatform.poll(&entries, until: deadline)
            if entries[0].revents != 0 { return nil }
            deadline = nil
            let accepted = acceptOnce(descriptor)
            if accepted >= 0 { return LoopbackSocket(accepted) }
            if errno == EMFILE || errno == ENFILE {
                // No descriptor is free. The connection stays in the queue; look again when some may have been closed.
                deadline = .now + .milliseconds(10)
            }
        }
    }

    /// Ends ``accept()``, now and later.
    func interrupt() {
        wakeUp.wakeUp()
    }
}

/// Lets a port be bound again while connections of an earlier listener linger.
private func allowReuse(_ descriptor: Int32) {
    LoopbackPlatform.setOption(SOL_SOCKET, SO_REUSEADDR, 1, on: descriptor)
}

/// Outside the type, where `accept` means the system's.
private func acceptOnce(_ descriptor: Int32) -> Int32 {
    accept(descriptor, nil, nil)
}
