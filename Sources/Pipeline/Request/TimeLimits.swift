/// How long a request may take, step by step.
///
/// In a request, `nil` means "as the network says"; in a network's configuration, "no limit". To lift a limit for one
/// request, set it to `Duration.unlimited`.
///
/// The transport keeps ``connect`` and ``idle``, the engine ``attempt`` and ``total``. Pauses, token refreshes and the
/// time a request waits in a queue count towards the total, so a send never takes longer than that.
///
/// Each limit stands by itself: a request that is to take longer than usual needs a higher ``total``, and a higher ``idle``
/// if its server is silent for long.
public struct TimeLimits: Sendable, Hashable {
    /// For a connection to be made, TLS included. A network gives 10 seconds unless told otherwise.
    public var connect: Duration?

    /// For the next byte to arrive or leave. A network gives 30 seconds unless told otherwise.
    public var idle: Duration?

    /// For one trip through the transport: to the end of the body if it is gathered in memory, to the head if it goes
    /// to a file or stays a stream. A network gives 60 seconds unless told otherwise. An attempt that ran into it may
    /// be retried.
    public var attempt: Duration?

    /// For the whole send, from build to the end of the body. Decoding is outside. A network gives 5 minutes unless
    /// told otherwise. Nothing is retried after it.
    public var total: Duration?

    /// Creates time limits; those left out are the network's.
    public init(
        connect: Duration? = nil,
        idle: Duration? = nil,
        attempt: Duration? = nil,
        total: Duration? = nil
    ) {
        self.connect = connect
        self.idle = idle
        self.attempt = attempt
        self.total = total
    }

    /// The limits of a network that names none: 10 seconds to connect, 30 idle, 60 an attempt, 300 in total.
    public static let standard = TimeLimits(
        connect: .seconds(10),
        idle: .seconds(30),
        attempt: .seconds(60),
        total: .seconds(300)
    )

    /// These limits, with `others` where this value has none.
    package func filled(from others: TimeLimits) -> TimeLimits {
        TimeLimits(
            connect: connect ?? others.connect,
            idle: idle ?? others.idle,
            attempt: attempt ?? others.attempt,
            total: total ?? others.total
        )
    }
}
