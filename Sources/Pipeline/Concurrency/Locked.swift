#if canImport(Darwin)
    import Darwin
#elseif THREAD_SANITIZER
    import Glibc
#else
    import Synchronization
#endif

/// A value that only one thread at a time can touch.
///
/// It stands where `Synchronization.Mutex` would, which needs newer Apple systems than this package does: there an
/// unfair lock takes its place. Hold it around a few fields, never across a suspension, and call nobody else's code
/// inside it.
package struct Locked<Value>: ~Copyable, Sendable {
    #if canImport(Darwin) || THREAD_SANITIZER
        private let storage: Storage

        package init(_ value: consuming sending Value) {
            storage = Storage(value)
        }

        /// Runs `body` while no other thread can see the value.
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            storage.lock.acquire()
            defer { storage.lock.release() }
            return try body(&storage.value.pointee)
        }

        private final class Storage: @unchecked Sendable {  // The value is reached through the lock alone.
            // It stands apart from the lock, or finding the lock would count as an access to the value.
            let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            let lock = SystemLock()

            init(_ value: consuming sending Value) {
                self.value.initialize(to: value)
            }

            deinit {
                lock.destroy()
                value.deinitialize(count: 1)
                value.deallocate()
            }
        }
    #else
        private let mutex: Mutex<Value>

        package init(_ value: consuming sending Value) {
            mutex = Mutex(value)
        }

        /// Runs `body` while no other thread can see the value.
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    #endif
}

#if canImport(Darwin)
    private struct SystemLock {
        private let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)

        init() { lock.initialize(to: os_unfair_lock()) }

        func acquire() { os_unfair_lock_lock(lock) }

        func release() { os_unfair_lock_unlock(lock) }

        func destroy() { lock.deallocate() }
    }
#elseif THREAD_SANITIZER
    /// The thread sanitizer does not see how a contended `Mutex` of the Linux toolchain is acquired, and reports races that
    /// are none. It knows the lock of POSIX.
    private struct SystemLock {
        private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

        init() { pthread_mutex_init(lock, nil) }

        func acquire() { pthread_mutex_lock(lock) }

        func release() { pthread_mutex_unlock(lock) }

        func destroy() {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    }
#endif
