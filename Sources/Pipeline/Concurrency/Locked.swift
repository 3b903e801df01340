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
    #if canImport(Darwin)
        private final class Storage: @unchecked Sendable {  // The value is reached through the lock alone.
            var value: Value
            let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)

            init(_ value: consuming sending Value) {
                self.value = value
                lock.initialize(to: os_unfair_lock())
            }

            deinit {
                lock.deinitialize(count: 1)
                lock.deallocate()
            }
        }

        private let storage: Storage

        package init(_ value: consuming sending Value) {
            storage = Storage(value)
        }

        /// Runs `body` while no other thread can see the value.
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            os_unfair_lock_lock(storage.lock)
            defer { os_unfair_lock_unlock(storage.lock) }
            return try body(&storage.value)
        }
    #elseif THREAD_SANITIZER
        // The sanitizer does not see how a contended `Mutex` of the Linux toolchain is acquired, and reports races that are
        // none. It knows the lock of POSIX. The value stands apart from the lock, or reading where the lock is would count
        // as an access to the value.
        private final class Storage: @unchecked Sendable {  // The value is reached through the lock alone.
            let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

            init(_ value: consuming sending Value) {
                self.value.initialize(to: value)
                pthread_mutex_init(lock, nil)
            }

            deinit {
                pthread_mutex_destroy(lock)
                lock.deallocate()
                value.deinitialize(count: 1)
                value.deallocate()
            }
        }

        private let storage: Storage

        package init(_ value: consuming sending Value) {
            storage = Storage(value)
        }

        /// Runs `body` while no other thread can see the value.
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(storage.lock)
            defer { pthread_mutex_unlock(storage.lock) }
            return try body(&storage.value.pointee)
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
