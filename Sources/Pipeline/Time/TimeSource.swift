public import Foundation

/// Where a network takes its time from: the clock, the calendar and every pause.
///
/// It is set in ``NetworkConfiguration/time`` and nowhere else. Programs use ``SystemTime``; tests use the manual clock of
/// `PipelineTesting`, which moves only when the test says so. To write your own, keep three promises: ``now`` never goes
/// back, ``sleep(for:purpose:)`` ends at once when its task is cancelled, and an expired limit calls its closure once.
public protocol TimeSource: Sendable {
    /// The time since some fixed moment, on a clock that never goes back.
    var now: Duration { get }

    /// The wall-clock time, for dates in messages such as `Retry-After`.
    var date: Date { get }

    /// Waits.
    ///
    /// - Parameters:
    ///   - duration: How long. Zero or less returns at once.
    ///   - purpose: Why, so that a test can tell one pause from another.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration, purpose: PausePurpose) async throws

    /// Starts a time limit.
    ///
    /// - Parameters:
    ///   - duration: How long until the limit strikes.
    ///   - expire: Called once when it does, on any thread, unless the limit was lifted before. It must not block.
    /// - Returns: The running limit, or `nil` if this time source ignores limits.
    func startLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> (any TimeLimitHandle)?
}

/// A time limit that runs.
public protocol TimeLimitHandle: Sendable {
    /// Stops the limit. After this its closure is not called, unless it is being called already.
    func lift()
}

/// Why a send waits.
public struct PausePurpose: RawRepresentable, Hashable, Sendable {
    /// A short, fixed name.
    public let rawValue: String

    /// Creates a purpose. Actions outside this package name theirs with a prefix of their own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The pause before a retry.
    public static let retry = PausePurpose(rawValue: "retry")
}

extension Duration {
    /// Longer than any program runs: says of a time limit that there is none.
    public static let unlimited = Duration.seconds(Int64.max / 4)

    /// The duration in seconds, for arithmetic with dates and for print.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
