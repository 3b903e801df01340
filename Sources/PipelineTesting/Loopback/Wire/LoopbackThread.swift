import Pipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread that can be waited for to be gone, which Foundation's threads cannot.
final class LoopbackThread: Sendable {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Room for a handler that decodes JSON. Only what is touched takes memory.
    private static let stackBytes = 512 * 1024

    /// The thread until it is joined. Kept as a number because Darwin's `pthread_t` is a pointer and not sendable.
    private let handle: Locked<UInt>

    init(_ body: @escaping @Sendable () -> Void) throws {
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        // Not a variable: the type's initializer is declared by a module that cannot be imported.
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        pthread_attr_setstacksize(attributes, Self.stackBytes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(&thread, attributes, { LoopbackThread.run($0) }, work)
        guard status == 0 else {
            Unmanaged<Work>.fromOpaque(work).release()
            throw LoopbackError("pthread_create", code: status)
        }
        #if canImport(Darwin)
            handle = Locked(UInt(bitPattern: thread))
        #else
            handle = Locked(UInt(thread))
        #endif
    }

    /// Waits until the thread has ended and everything it held is released. Called on the thread itself, it lets the thread
    /// clean up after itself instead.
    func join() {
        let bits = handle.withLock { bits in
            defer { bits = 0 }
            return bits
        }
        #if canImport(Darwin)
            guard let thread = pthread_t(bitPattern: bits) else { return }
        #else
            guard bits != 0 else { return }
            let thread = pthread_t(bits)
        #endif
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let work else { return nil }
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
    }
}
