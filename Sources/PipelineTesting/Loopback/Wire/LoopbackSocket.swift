import Foundation
import Pipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The end of a connection, thrown through everything that reads or writes on it.
struct LoopbackConnectionEnded: Error {
    let ending: LoopbackConnection.Ending

    init(_ ending: LoopbackConnection.Ending) {
        self.ending = ending
    }
}

/// The descriptor of one connection.
///
/// One thread reads, writes and closes. Any other may ``interrupt()`` it; the lock keeps that from hitting a number which
/// the system has given to another file since.
final class LoopbackSocket: Sendable {
    private let descriptor: Int32
    private let isClosed = Locked(false)

    /// Takes over an accepted descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        LoopbackPlatform.closeOnExec(descriptor)
        LoopbackPlatform.setBlocking(true, descriptor)
        LoopbackPlatform.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1, on: descriptor)
        #if canImport(Darwin)
            LoopbackPlatform.setOption(SOL_SOCKET, SO_NOSIGPIPE, 1, on: descriptor)
        #endif
    }

    deinit {
        close()
    }

    /// Waits for bytes and puts them into the buffer.
    ///
    /// - Returns: How many; zero when the client has finished sending.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { throw LoopbackConnectionEnded(.resetByClient) }
        }
    }

    /// Sends all of the bytes, waiting for the client to take them.
    func send(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Darwin)
                let count = Darwin.send(descriptor, rest.baseAddress, rest.count, LoopbackPlatform.sendFlags)
            #elseif canImport(Glibc)
                let count = Glibc.send(descriptor, rest.baseAddress, rest.count, LoopbackPlatform.sendFlags)
            #else
                let count = Musl.send(descriptor, rest.baseAddress, rest.count, LoopbackPlatform.sendFlags)
            #endif
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EPIPE {
                throw LoopbackConnectionEnded(.closedByClient)
            } else if errno != EINTR {
                throw LoopbackConnectionEnded(.resetByClient)
            }
        }
    }

    /// Waits until somebody wakes it, the deadline has passed, or the connection ends, whichever comes first.
    ///
    /// - Parameters:
    ///   - wakeUp: Ends the wait when it is woken.
    ///   - deadline: Ends the wait when it has passed. Nil waits without limit.
    ///   - noticesFinish: Whether a client that has finished sending counts as gone.
    /// - Throws: ``LoopbackConnectionEnded`` if the connection ended.
    func wait(for wakeUp: LoopbackWakeUp?, until deadline: ContinuousClock.Instant?, noticesFinish: Bool) throws {
        let finished = LoopbackPlatform.peerFinished
        var entries = [pollfd(fd: descriptor, events: noticesFinish ? finished : 0, revents: 0)]
        if let wakeUp {
            entries.append(pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0))
        }
        guard LoopbackPlatform.poll(&entries, until: deadline) else { return }
        let events = entries[0].revents
        if events & Int16(POLLERR) != 0 {
            throw LoopbackConnectionEnded(.resetByClient)
        } else if events & (finished | Int16(POLLHUP)) != 0 {
            throw LoopbackConnectionEnded(.closedByClient)
        }
    }

    /// Keeps the system from taking much more than is read, see ``LoopbackReading``.
    func limitReceiveBuffer() {
        LoopbackPlatform.setOption(SOL_SOCKET, SO_RCVBUF, 16 * 1024, on: descriptor)
    }

    /// Tells the client that nothing more will be sent.
    func finishSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends every wait on this socket, now and later.
    func interrupt() {
        isClosed.withLock { isClosed in
            if !isClosed { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { closeDescriptor(descriptor) }
            isClosed = true
        }
    }

    /// Closes so that the client gets a reset: a linger time of zero makes the system throw away what is unsent.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }
}

private func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
}
