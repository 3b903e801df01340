/// Where the entries of a ``Logger`` go.
///
/// **Which one do I need?** ``StandardStreamSink`` (`.standardError`, `.standardOutput`) for terminals and containers,
/// ``FileSink`` for a file that is rotated, `SystemLogSink` for the log of Apple's systems, ``ClosureSink`` for anything else.
///
/// **How do I write one?** As a type that takes one entry after the other. A logger calls its sinks on a queue of its own,
/// never on the task of a send: a sink may wait for a disk or a pipe. One that waits for too long loses entries
/// (``Logger/losses``), and one that throws loses the entry; neither is noticed by the send. A sink that sends what it gets
/// over a network must not do so over one that logs to the same logger.
public protocol LogSink: Sendable {
    /// Writes an entry. Called for one entry after the other, in their order.
    ///
    /// - Throws: Anything. The entry counts as lost for this sink.
    func write(_ entry: LogEntry) throws

    /// Brings to its place what was gathered. Called at ``Logger/flush()``, after all entries before it.
    ///
    /// - Throws: Anything; it counts as a loss.
    func flush() throws
}

extension LogSink {
    /// Nothing: for sinks that gather nothing.
    public func flush() throws {}
}
