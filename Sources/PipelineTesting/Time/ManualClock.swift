public import Foundation
public import Pipeline

/// A clock that moves only when the test says so.
///
/// The test waits for the code under test to pause, looks at the length of the pause, and moves the clock:
///
///     #expect(await clock.nextPause() == .seconds(2))
///     clock.advance(by: .seconds(2))
///
/// Time limits are ignored unless asked for, so a test that is about pauses need not think of them.
public final class ManualClock: TimeSource {
    private struct State: Sendable {
        var now = Duration.zero
        var timers: [Timer] = []
    }

    private let state = Locked(State())
    private let pauses = Mailbox<Pause>()
    private let limits = Mailbox<Duration>()
    private let start: Date
    private let keepsTimeLimits: Bool

    /// A pause that has begun.
    public struct Pause: Sendable, Hashable {
        /// How long it lasts.
        public let duration: Duration
        /// Why the code pauses.
        public let purpose: PausePurpose
    }

    /// Creates a clock that stands.
    ///
    /// - Parameters:
    ///   - date: The wall-clock time at the beginning; the first second of 2001 unless told otherwise.
    ///   - keepsTimeLimits: Whether time limits strike when the clock is moved past them. They do not unless told
    ///     otherwise.
    public init(date: Date = Date(timeIntervalSinceReferenceDate: 0), keepsTimeLimits: Bool = false) {
        start = date
        self.keepsTimeLimits = keepsTimeLimits
    }

    public var now: Duration { state.withLock { $0.now } }

    public var date: Date {
        let now = now
        return start.addingTimeInterval(Double(now.components.seconds) + Double(now.components.attoseconds) * 1e-18)
    }

    /// Waits until a pause begins, and returns its length. Pauses come in the order in which they began, each once.
    public func nextPause() async -> Duration {
        await nextPauseWithPurpose().duration
    }

    /// Waits until a pause begins, and returns its length and purpose.
    public func nextPauseWithPurpose() async -> Pause {
        await pauses.next(orWhenCancelled: Pause(duration: .zero, purpose: .retry))
    }

    /// Waits until a time limit starts, and returns its length. Only for a clock that keeps time limits.
    public func nextTimeLimit() async -> Duration {
        await limits.next(orWhenCancelled: .zero)
    }

    /// Moves the clock. Pauses and time limits that end by then end now, in their order.
    public func advance(by duration: Duration) {
        let due = state.withLock { state -> [Timer] in
            state.now += duration
            let now = state.now
            let due = state.timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
            state.timers.removeAll { $0.deadline <= now }
            return due
        }
        for timer in due { timer.strike() }
    }

    public func sleep(for duration: Duration, purpose: PausePurpose) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        let end = OneShot<Bool>()
        let timer = addTimer(after: duration) { end.resolve(true) }
        let isOver = await withTaskCancellationHandler {
            pauses.put(Pause(duration: duration, purpose: purpose))
            return await end.value()
        } onCancel: {
            end.resolve(false)
        }
        timer.lift()
        guard isOver else { throw CancellationError() }
    }

    public func startLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> (any TimeLimitHandle)? {
        guard keepsTimeLimits else { return nil }
        let timer = addTimer(after: duration, strike: expire)
        limits.put(duration)
        return timer
    }

    private func addTimer(after duration: Duration, strike: @escaping @Sendable () -> Void) -> Timer {
        state.withLock { state in
            let timer = Timer(clock: self, deadline: state.now + duration, strike: strike)
            state.timers.append(timer)
            return timer
        }
    }

    private final class Timer: TimeLimitHandle {
        let deadline: Duration
        let strike: @Sendable () -> Void
        private let clock: ManualClock

        init(clock: ManualClock, deadline: Duration, strike: @escaping @Sendable () -> Void) {
            self.clock = clock
            self.deadline = deadline
            self.strike = strike
        }

        func lift() {
            clock.state.withLock { state in
                state.timers.removeAll { $0 === self }
            }
        }
    }
}
