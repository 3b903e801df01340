/// How much an entry of a log matters.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable, CustomStringConvertible {
    /// For whoever looks for a fault.
    case debug
    /// What happened, in the normal course of things.
    case info
    /// What should not have happened, and did no harm yet.
    case warning
    /// What went wrong.
    case error

    public var description: String { rawValue }

    public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
