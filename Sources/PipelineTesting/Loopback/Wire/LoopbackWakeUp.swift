#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Wakes a thread that waits in `poll`, from any other thread.
///
/// A pipe whose reading end becomes readable and stays so until ``reset()``.
final class LoopbackWakeUp: Sendable {
    /// The descriptor to poll for reading.
    let descriptor: Int32
    private let writingEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError("pipe") }
        for end in ends {
            LoopbackPlatform.closeOnExec(end)
            LoopbackPlatform.setBlocking(false, end)
        }
        descriptor = ends[0]
        writingEnd = ends[1]
    }

    deinit {
        close(descriptor)
        close(writingEnd)
    }

    func wakeUp() {
        var byte: UInt8 = 1
        _ = write(writingEnd, &byte, 1)  // A full pipe is readable already.
    }

    /// Forgets every call of ``wakeUp()`` so far.
    func reset() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
