/// How an entry becomes text.
///
/// **Which one do I need?** ``LineFormat`` for people, ``JSONLinesFormat`` for programs.
///
/// **How do I write one?** As a value that turns an entry into text. Escape control characters, with
/// ``escaped(_:)`` for one, so that what a server sent cannot write lines of its own or steer a terminal.
public protocol LogFormat: Sendable {
    /// The text of an entry, without a line break at its end.
    func text(for entry: LogEntry) -> String
}

extension LogFormat {
    /// A text with control characters escaped as in `\u{1B}`, line breaks and the characters that turn the direction of
    /// text included, so that it stays on one line.
    public func escaped(_ text: String) -> String { Printable.escaped(text) }
}
