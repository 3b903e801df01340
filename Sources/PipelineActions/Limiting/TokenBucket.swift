/// A bucket into which tokens drop at a steady pace until it is full. Each request takes one; when there is none, it waits for
/// the next.
///
/// It needs no timer: all it remembers is when it will be full again if nobody takes anything.
struct TokenBucket: Sendable, Hashable {
    /// How long a token takes to drop.
    let interval: Duration
    /// How many tokens there is room for.
    let capacity: Int

    private var full: Duration?

    /// Creates a bucket that is full.
    init(interval: Duration, capacity: Int) {
        self.interval = max(.zero, interval)
        self.capacity = max(1, capacity)
    }

    /// How long it takes from now until so many tokens have been there, each taken as soon as it was.
    func wait(for count: Int, at now: Duration) -> Duration {
        let missing = interval * (count - capacity)
        return max(.zero, max(full ?? now, now) + missing - now)
    }

    /// Takes a token.
    mutating func take(at now: Duration) {
        full = max(full ?? now, now) + interval
    }

    /// Whether it is full, as if nobody had ever taken anything.
    func isFull(at now: Duration) -> Bool { full.map { $0 <= now } ?? true }
}
