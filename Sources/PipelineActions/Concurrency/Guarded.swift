import Foundation

/// A value behind a lock, held for a few fields and never across `await`.
///
/// `Mutex` needs newer Apple systems than this package supports, and the core's own lock is not public.
final class Guarded<Value: Sendable>: @unchecked Sendable {  // The lock guards every access to `value`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Runs a closure with the value to itself.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
