/// How long to wait before the next attempt, when the server did not say.
///
///     policy.backoff = .exponential(base: .seconds(1), cap: .seconds(10))
public struct Backoff: Sendable {
    /// Which part of an exponential pause is left to chance.
    public enum Jitter: Sendable, Hashable {
        /// All of it: the pause lies anywhere between zero and its bound. Clients that failed together do not come back
        /// together.
        case full
        /// Nothing: the pause is the bound.
        case none
    }

    private enum Kind: Sendable {
        case exponential(base: Duration, cap: Duration, Jitter)
        case steps([Duration])
        case custom(@Sendable (Int) -> Duration)
    }

    private let kind: Kind

    /// A bound that doubles with each attempt until it reaches a cap, and below it a pause left to chance.
    ///
    /// - Parameters:
    ///   - base: The bound of the first pause; half a second unless told otherwise.
    ///   - cap: The bound of every pause, however many attempts have failed; 20 seconds unless told otherwise.
    ///   - jitter: What is left to chance; all of it unless told otherwise.
    public static func exponential(
        base: Duration = .milliseconds(500),
        cap: Duration = .seconds(20),
        jitter: Jitter = .full
    ) -> Backoff {
        Backoff(kind: .exponential(base: base, cap: cap, jitter))
    }

    /// A bound of half a second that doubles up to 20 seconds, and all of the pause left to chance.
    public static let exponential = Backoff.exponential()

    /// The same pause each time.
    public static func constant(_ pause: Duration) -> Backoff { .steps([pause]) }

    /// Pauses one by one; the last stands for all that follow. An empty list means no pause at all.
    public static func steps(_ pauses: [Duration]) -> Backoff { Backoff(kind: .steps(pauses)) }

    /// Pauses of 2, 4 and 8 seconds, and 8 from then on. They are the same for every client, so give
    /// ``exponential(base:cap:jitter:)`` to programs of which many run at once.
    public static let twoFourEight = Backoff.steps([.seconds(2), .seconds(4), .seconds(8)])

    /// Pauses of one's own making.
    ///
    /// - Parameter pause: Is given the number of the attempt that failed, counted from 1, and returns the pause. Less than
    ///   zero counts as zero.
    public static func custom(_ pause: @escaping @Sendable (_ attempt: Int) -> Duration) -> Backoff {
        Backoff(kind: .custom(pause))
    }

    /// Picks the pause that follows a failed attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt that failed. The first attempt is 1.
    ///   - generator: The source of randomness. Tests pass a seeded one.
    /// - Returns: The pause, never less than zero.
    /// - Precondition: `attempt` is at least 1.
    public func pause(after attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        precondition(attempt >= 1, "attempts are counted from 1, got \(attempt)")
        switch kind {
        case .exponential(let base, let cap, let jitter):
            let bound = Self.bound(base, cap, attempt)
            return jitter == .none ? bound : bound * Double.random(in: 0...1, using: &generator)
        case .steps(let pauses):
            return max(.zero, pauses.isEmpty ? .zero : pauses[min(attempt, pauses.count) - 1])
        case .custom(let pause):
            return max(.zero, pause(attempt))
        }
    }

    private static func bound(_ base: Duration, _ cap: Duration, _ attempt: Int) -> Duration {
        var bound = max(.zero, base)
        var doublings = attempt - 1
        // Stopping at the cap keeps the sum from overflowing; a bound of zero would never get there.
        while doublings > 0, bound > .zero, bound < cap {
            bound += bound
            doublings -= 1
        }
        return min(bound, max(.zero, cap))
    }
}
