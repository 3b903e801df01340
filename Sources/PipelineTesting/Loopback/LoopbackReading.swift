/// How a ``LoopbackServer`` reads the bodies of requests.
///
/// Slow reading fills the buffers between client and server, so that a test can see what a client does when it cannot
/// get rid of its bytes. The server keeps its own receive buffer small for it; the system still holds back some (the client's
/// send buffer, which can be megabytes, and up to about 100 KiB on the server's side), so use bodies well above that.
public struct LoopbackReading: Sendable {
    enum Pace: Sendable {
        case unlimited
        case paced(bytes: Int, every: Duration)
        case gated(LoopbackGate)
    }

    let pace: Pace

    /// As fast as bytes arrive.
    public static let unlimited = LoopbackReading(pace: .unlimited)

    /// At most `bytes` at a time with a pause after each, also for bytes that came together with the head.
    ///
    /// - Precondition: `bytes` is at least 1.
    public static func paced(bytes: Int, every pause: Duration) -> LoopbackReading {
        precondition(bytes >= 1, "a pace needs at least one byte at a time, got \(bytes)")
        return LoopbackReading(pace: .paced(bytes: bytes, every: pause))
    }

    /// Not at all until the gate is open, then as fast as bytes arrive. A request without a body does not wait.
    public static func gated(_ gate: LoopbackGate) -> LoopbackReading {
        LoopbackReading(pace: .gated(gate))
    }
}
