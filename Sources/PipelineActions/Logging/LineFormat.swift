import Foundation

/// Entries as lines for people.
///
///     2026-03-01T12:00:00.250Z info ← 12 GET https://api.example.com/users 200 OK, 143 ms, 1 attempt, 512 bytes
///
/// Further lines are indented by four spaces.
public struct LineFormat: LogFormat, Hashable {
    /// Whether lines begin with date and time, in UTC to the millisecond.
    public var showsDate: Bool

    /// Whether the level is shown.
    public var showsLevel: Bool

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - showsDate: Whether lines begin with date and time, in UTC; `false` unless told otherwise.
    ///   - showsLevel: Whether the level is shown; `false` unless told otherwise.
    public init(showsDate: Bool = false, showsLevel: Bool = false) {
        self.showsDate = showsDate
        self.showsLevel = showsLevel
    }

    /// The message alone: for a terminal, and for whatever puts date and level in front itself.
    public static let plain = LineFormat()

    /// With date and level: for files.
    public static let stamped = LineFormat(showsDate: true, showsLevel: true)

    public func text(for entry: LogEntry) -> String {
        var text = ""
        if showsDate { text += LogDate.text(entry.date) + " " }
        if showsLevel { text += entry.level.rawValue + " " }
        text += escaped(entry.message)
        for line in entry.details { text += line.isEmpty ? "\n" : "\n    " + escaped(line) }
        return text
    }
}

/// Date and time as logs write them (RFC 3339).
enum LogDate {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func text(_ date: Date) -> String { date.formatted(style) }
}
