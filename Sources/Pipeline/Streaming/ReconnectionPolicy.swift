/// When a stream of events that was dropped is taken up again, and after which pause.
///
///     var policy = ReconnectionPolicy()
///     policy.bounds = .milliseconds(100)...(.seconds(10))
///     network.events(of: WatchOrders(), reconnection: policy)
public struct ReconnectionPolicy: Sendable, Hashable {
    /// The pause before a client comes back, until the server says another. 3 seconds by default.
    public var pause: Duration = .seconds(3)

    /// What no pause is below or above, whatever the server says and however often no connection can be made. 1 second to 1
    /// minute by default.
    public var bounds: ClosedRange<Duration> = .seconds(1)...(.seconds(60))

    /// How much longer a pause can get by chance, as a share of it: half by default. Clients that were dropped together then do
    /// not come back together. It never shortens a pause, since the server may have asked for it.
    public var jitter = 0.5

    /// After how many failures in a row to make a connection the stream ends with the last error. It is tried for ever if `nil`,
    /// which is the default.
    public var maximumFailures: Int?

    /// Creates the default policy.
    public init() {}

    /// Picks the pause before the next connection.
    ///
    /// - Parameters:
    ///   - failures: How many connections in a row could not be made: 0 after one that was open. The pause doubles with each
    ///     from the second on.
    ///   - told: The pause that the server has asked for, if it has.
    ///   - generator: The source of randomness. Tests pass a seeded one.
    /// - Returns: The pause, within ``bounds``.
    public func pause(
        after failures: Int,
        told: Duration? = nil,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        var pause = min(max(told ?? self.pause, bounds.lowerBound), bounds.upperBound)
        var doublings = failures - 1
        // Stopping at the bound keeps the sum from overflowing; a pause of zero would never get there.
        while doublings > 0, pause > .zero, pause < bounds.upperBound {
            pause += pause
            doublings -= 1
        }
        guard pause < bounds.upperBound, jitter > 0 else { return min(pause, bounds.upperBound) }
        return min(pause * (1 + Double.random(in: 0...jitter, using: &generator)), bounds.upperBound)
    }

    /// Whether a connection that ended in this way is worth another.
    ///
    /// It is after a failure of the connection, a time limit, a body that broke off, and the statuses 408, 429, 500, 502, 503
    /// and 504. Everything else would only happen again: another status, another media type, a certificate that is not trusted,
    /// a missing credential, cancellation.
    public func reconnects(after error: NetworkError) -> Bool {
        switch error.code {
        case .truncated, .transportFailed: true
        case .unacceptableStatus: error.response.map { Self.passing.contains($0.status) } ?? false
        default: error.category == .connection || error.category == .timeLimit
        }
    }

    private static let passing: HTTPStatusSet = [408, 429, 500, 502, 503, 504]
}
