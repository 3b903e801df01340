/// What a program may spend on retries: a bucket of tokens that retries take from and successes fill.
///
/// Where a server is down, retries multiply the load on what is left of it. So a retry has to be paid for. Each takes
/// ``cost`` tokens out of the bucket, less if the server only asked to slow down. A success puts back what the last retry of
/// its send had cost, or one token if it needed none; an answer that the policy does not repeat counts as one. A retry that is
/// never sent, since the send is cancelled before, costs nothing. Where there are too few tokens there is no retry, and the
/// failure is handed up as it is. A program whose requests succeed never notices;
/// one whose server is down makes 35 retries in all, not two for each request.
///
/// One budget serves a whole network and those derived from it, since they share its ``RetryAction``. Give the same one to
/// several networks that call the same server.
public final class RetryBudget: Sendable {
    /// How many tokens there are at most, and at first.
    public let capacity: Int

    /// What a retry costs.
    public let cost: Int

    /// What a retry costs after 429, where the server is well and only asked to slow down.
    public let throttlingCost: Int

    private let tokens: Guarded<Int>

    /// Creates a full budget.
    ///
    /// - Parameters:
    ///   - capacity: How many tokens there are at most, and at first; 500 unless told otherwise.
    ///   - cost: What a retry costs; 14 unless told otherwise.
    ///   - throttlingCost: What a retry costs after 429; 5 unless told otherwise.
    /// - Precondition: No number is less than zero.
    public init(capacity: Int = 500, cost: Int = 14, throttlingCost: Int = 5) {
        precondition(min(capacity, cost, throttlingCost) >= 0, "a budget has no use for numbers below zero")
        self.capacity = capacity
        self.cost = cost
        self.throttlingCost = throttlingCost
        tokens = Guarded(capacity)
    }

    /// How many tokens are left.
    public var available: Int { tokens.withLock { $0 } }

    /// Takes tokens for a retry, all of them or none.
    ///
    /// - Returns: Whether there were enough.
    public func take(_ count: Int) -> Bool {
        tokens.withLock { tokens in
            guard tokens >= count else { return false }
            tokens -= count
            return true
        }
    }

    /// Puts tokens back after a success, up to ``capacity``.
    ///
    /// - Parameter count: What the last retry of the send had cost; `nil` if it needed none, which is worth one token.
    public func giveBack(_ count: Int?) {
        tokens.withLock { $0 = min(capacity, $0 + (count ?? 1)) }
    }
}
