/// Hands entries to a closure.
///
///     ClosureSink { entry in collector.add(entry) }
///     ClosureSink(format: JSONLinesFormat()) { line in socket.send(line) }
public struct ClosureSink: LogSink {
    private let body: @Sendable (LogEntry) throws -> Void

    /// Creates a sink that hands on entries as values.
    ///
    /// - Parameter body: Called on the logger's queue.
    public init(_ body: @escaping @Sendable (LogEntry) throws -> Void) {
        self.body = body
    }

    /// Creates a sink that hands on entries as text.
    ///
    /// - Parameters:
    ///   - format: How an entry becomes text.
    ///   - body: Called on the logger's queue, with the text without a line break at its end.
    public init(format: any LogFormat, _ body: @escaping @Sendable (String) throws -> Void) {
        self.init { try body(format.text(for: $0)) }
    }

    public func write(_ entry: LogEntry) throws { try body(entry) }
}
