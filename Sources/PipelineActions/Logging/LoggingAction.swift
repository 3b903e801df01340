public import Pipeline

/// Writes what sends do, with their secrets left out.
///
///     ← 12 GET https://api.example.com/users?page=2 200 OK, 143 ms, 1 attempt, 512 bytes
///     ✗ 13 GET https://api.example.com/user decoding-failed in decode: …, 90 ms, 1 attempt
///
/// The number is that of the send. How much is written is the ``level-swift.property``, which can be changed at any time from
/// any thread, for the sends that are under way too:
///
/// | level | what is written |
/// |---|---|
/// | `off` | nothing |
/// | `error` | what failed, with the reason; broken rules; pins that are reported as missing and not enforced |
/// | `info` | one line for each send: method, URL, status, duration, attempts, size; a second where a stream ends |
/// | `verbose` | also the request as it was first sent, with header fields, body and a line for curl; retries, redirects, decisions of actions; the response with header fields and body |
///
/// Failures after the chain are there too: a status that is not accepted, an empty body, a value that cannot be read. A send
/// that was called off is no failure; it has its line from `info` on.
///
/// **Where it belongs:** in the send zone, first in the list. It is an event monitor and takes no part in the chain, so it
/// cannot be in anybody's way. In the hop zone (`zone: .hop`) it is a wire log: what it writes is about each attempt rather
/// than the send, as it went over the wire.
///
/// **What it may send twice:** nothing; it sends nothing.
///
/// **What it never does:** write a secret that its ``RedactionPolicy`` knows; read a stream or a file, so that what arrives
/// bit by bit is not held back; keep or print more than the first ``bodyLimit`` bytes of a body, or any of one that is not
/// text; wait for a sink or fail with one (``Logger``); write custom properties.
///
/// **How to test** code that logs: give it a logger with a ``ClosureSink``, `await logger.flush()`, and look at the entries.
public struct LoggingAction: Action, EventMonitor {
    /// How much is written.
    public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Nothing.
        case off
        /// What failed.
        case error
        /// A line for each send.
        case info
        /// Whole messages, and what happens in between.
        case verbose

        public static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }

        private var rank: Int {
            switch self {
            case .off: 0
            case .error: 1
            case .info: 2
            case .verbose: 3
            }
        }
    }

    public let zone: ActionZone

    /// Where entries go.
    public let logger: Logger

    /// What is left out.
    public let redaction: RedactionPolicy

    /// How much of a body is shown, in bytes.
    public let bodyLimit: Int

    private let chosen: Guarded<Level>
    private let sends = FollowedSends()

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - level: How much is written; a line for each send unless told otherwise.
    ///   - logger: Where entries go; to standard error unless told otherwise.
    ///   - zone: Whether it is about sends (`.send`, unless told otherwise) or about each attempt (`.hop`).
    ///   - redaction: What is left out; the usual secrets unless told otherwise.
    ///   - bodyLimit: How much of a body is shown at the level verbose, in bytes; 16 KiB unless told otherwise, a few screens.
    public init(
        _ level: Level = .info,
        logger: Logger = .standardError,
        zone: ActionZone = .send,
        redaction: RedactionPolicy = .standard,
        bodyLimit: Int = 16_384
    ) {
        chosen = Guarded(level)
        self.logger = logger
        self.zone = zone
        self.redaction = redaction
        self.bodyLimit = bodyLimit
    }

    /// Creates an action that hands its lines to a closure.
    ///
    /// - Parameters:
    ///   - level: How much is written; a line for each send unless told otherwise.
    ///   - write: Called on the logger's queue with one or more lines, without a line break at their end.
    public init(_ level: Level = .info, write: @escaping @Sendable (String) -> Void) {
        self.init(level, logger: Logger(sinks: [ClosureSink(format: LineFormat.plain, write)]))
    }

    /// How much is written. Copies of an action have it in common: change it at any time, from any thread.
    public var level: Level {
        get { chosen.withLock { $0 } }
        nonmutating set { chosen.withLock { $0 = newValue } }
    }

    public func record(_ event: SendEvent) {
        let level = effectiveLevel
        guard let send = sends.follow(event, isWritten: level > .off) else { return }
        let redaction = redaction.hiding(send.secretQueryNames)
        let composer = LogComposer(level: level, zone: zone, redaction: redaction, bodyLimit: bodyLimit)
        if let entry = composer.entry(for: event, of: send) { logger.write(entry) }
    }

    /// The level, less what the logger would leave out.
    private var effectiveLevel: Level {
        let level = level
        if level == .off || !logger.isEnabled(.error) { return .off }
        if level == .verbose, !logger.isEnabled(.debug) { return logger.isEnabled(.info) ? .info : .error }
        return level == .info && !logger.isEnabled(.info) ? .error : level
    }
}

extension Action where Self == LoggingAction {
    /// A ``LoggingAction``: `actions: [.logging(.verbose), …]`.
    ///
    /// - Parameters:
    ///   - level: How much is written; a line for each send unless told otherwise.
    ///   - logger: Where entries go; to standard error unless told otherwise.
    ///   - zone: Whether it is about sends (`.send`, unless told otherwise) or about each attempt (`.hop`).
    public static func logging(
        _ level: LoggingAction.Level = .info,
        to logger: Logger = .standardError,
        zone: ActionZone = .send
    ) -> LoggingAction {
        LoggingAction(level, logger: logger, zone: zone)
    }
}
