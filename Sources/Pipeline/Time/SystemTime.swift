public import Foundation

/// The time of the machine.
public final class SystemTime: TimeSource {
    /// The one that networks share unless told otherwise.
    public static let shared = SystemTime()

    private let limits = DeadlineQueue()

    private init() {}

    public var now: Duration { .monotonic }

    public var date: Date { Date() }

    public func sleep(for duration: Duration, purpose: PausePurpose) async throws {
        try await Task.sleep(for: max(.zero, duration))
    }

    public func startLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> (any TimeLimitHandle)? {
        limits.add(at: now + duration, expire: expire)
    }
}

extension Duration {
    /// The time since the machine started, sleep not counted.
    fileprivate static var monotonic: Duration {
        .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }
}
