public import Pipeline

/// Takes entries from any thread and hands them to sinks, one after the other, on a queue of its own.
///
///     let log = Logger(minimumLevel: .info, sinks: [.standardError, FileSink(url)])
///     log.info("signed in", ["attempts": 2])
///     let network = Network(baseURL: api, actions: [LoggingAction(logger: log)])
///
/// **What a sink cannot do:** hold up or fail whoever logs. Entries wait in a bounded line; when a sink is so slow that the
/// line is full, new entries are dropped and counted, and an entry of its own says how many when there is room again. What a
/// sink throws is counted (``losses``).
///
/// **At the end of a program** call ``flush()``, or the last entries may not have been written.
///
/// Where the module `os` is imported too, write `PipelineActions.Logger`.
public final class Logger: Sendable {
    private let line: LogLine
    private let minimum: Guarded<LogLevel>
    private let isOn: Bool
    private let time: any TimeSource

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - minimumLevel: The level below which entries are left out; `.debug`, so none, unless told otherwise.
    ///   - sinks: Where entries go.
    ///   - debugBuildsOnly: Whether the logger is silent in release builds, whatever the level; `false` unless told
    ///     otherwise. A build counts as a debug build if this package was compiled with `DEBUG`, as Xcode and SwiftPM do for
    ///     debug configurations.
    ///   - maximumWaiting: How many entries may wait for the sinks; 1,000 unless told otherwise. Whatever their number, they
    ///     take 8 MB at most.
    ///   - time: Where dates come from; the machine unless told otherwise.
    public init(
        minimumLevel: LogLevel = .debug,
        sinks: [any LogSink],
        debugBuildsOnly: Bool = false,
        maximumWaiting: Int = 1_000,
        time: any TimeSource = SystemTime.shared
    ) {
        minimum = Guarded(minimumLevel)
        isOn = Self.isOn(debugBuildsOnly: debugBuildsOnly, isDebugBuild: Self.isDebugBuild)
        self.time = time
        line = LogLine(sinks: sinks, maximumCount: maximumWaiting) {
            LogEntry(.warning, "\($0) entries were dropped, since the sinks are too slow", date: time.date)
        }
    }

    /// The logger that actions share unless told otherwise: all levels, to standard error.
    public static let standardError = Logger(sinks: [.standardError])

    static func isOn(debugBuildsOnly: Bool, isDebugBuild: Bool) -> Bool { !debugBuildsOnly || isDebugBuild }

    private static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The level below which entries are left out. It can be changed at any time from any thread.
    public var minimumLevel: LogLevel {
        get { minimum.withLock { $0 } }
        set { minimum.withLock { $0 = newValue } }
    }

    /// Whether an entry of this level would be written.
    public func isEnabled(_ level: LogLevel) -> Bool { isOn && level >= minimumLevel }

    /// Writes an entry for whoever looks for a fault. The message is not made if nobody would read it.
    public func debug(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogEntry.Value> = [:]) {
        write(.debug, message, fields)
    }

    /// Writes an entry about the normal course of things.
    public func info(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogEntry.Value> = [:]) {
        write(.info, message, fields)
    }

    /// Writes an entry about what should not have happened.
    public func warning(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogEntry.Value> = [:]) {
        write(.warning, message, fields)
    }

    /// Writes an entry about what went wrong.
    public func error(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogEntry.Value> = [:]) {
        write(.error, message, fields)
    }

    /// Writes an entry of the level debug.
    public func log(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogEntry.Value> = [:]) {
        write(.debug, message, fields)
    }

    /// Writes an entry, if its level is enabled. Its date becomes that of the logger's time.
    public func write(_ entry: LogEntry) {
        guard isEnabled(entry.level) else { return }
        var entry = entry
        entry.date = time.date
        line.add(entry)
    }

    private func write(
        _ level: LogLevel,
        _ message: () -> String,
        _ fields: KeyValuePairs<String, LogEntry.Value>
    ) {
        guard isEnabled(level) else { return }
        line.add(LogEntry(level, message(), fields: fields.map { .init($0.key, $0.value) }, date: time.date))
    }

    /// What was not written.
    public struct Losses: Sendable, Hashable {
        /// Entries that found the line full.
        public var dropped = 0
        /// Calls of a sink that threw.
        public var failed = 0

        /// Creates a count.
        public init(dropped: Int = 0, failed: Int = 0) {
            self.dropped = dropped
            self.failed = failed
        }
    }

    /// What was not written so far.
    public var losses: Losses { line.losses }

    /// Waits until all entries before this call have been handed to the sinks, and these were flushed.
    ///
    /// A sink that blocks for ever holds this up. If the waiting task is cancelled, it returns at once.
    public func flush() async { await line.flush() }
}
