public import Foundation
public import Pipeline

/// One entry of a log: what it says to people, and the same as values for programs.
///
/// Texts are as they came, control characters included; a ``LogFormat`` escapes them when it renders the entry. Whoever
/// makes an entry leaves secrets out: what ``LoggingAction`` makes has passed its ``RedactionPolicy``.
public struct LogEntry: Sendable, Hashable {
    /// When it was made.
    public var date: Date

    /// How much it matters.
    public var level: LogLevel

    /// The send it is about, if it is about one.
    public var send: SendID?

    /// What happened, in one line.
    public var message: String

    /// Further lines for people: header fields, a body. Programs find the same in ``fields``.
    public var details: [String]

    /// The same as values, in their order: `method`, `url`, `status`.
    public var fields: [Field]

    /// A named value.
    public struct Field: Sendable, Hashable {
        /// The name; lower case and underscores, as log collectors like it.
        public var name: String
        /// The value.
        public var value: Value

        /// Creates a field.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// A value of a field: what JSON can say.
    public indirect enum Value: Sendable, Hashable {
        /// A text.
        case text(String)
        /// A whole number.
        case integer(Int)
        /// Any other number.
        case number(Double)
        /// True or false.
        case truth(Bool)
        /// Several values.
        case list([Value])
        /// Named values, in their order.
        case fields([Field])
    }

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: What happened, in one line, without secrets.
    ///   - details: Further lines for people; none unless told otherwise.
    ///   - fields: The same as values; none unless told otherwise.
    ///   - send: The send it is about, if it is about one.
    ///   - date: When it was made; now unless told otherwise. A ``Logger`` puts in its own time.
    public init(
        _ level: LogLevel,
        _ message: String,
        details: [String] = [],
        fields: [Field] = [],
        send: SendID? = nil,
        date: Date = Date()
    ) {
        self.date = date
        self.level = level
        self.send = send
        self.message = message
        self.details = details
        self.fields = fields
    }

    /// The value of the first field with a name.
    public subscript(name: String) -> Value? { fields.first { $0.name == name }?.value }

    /// About how many bytes the entry holds, for the bound on what waits.
    var weight: Int {
        message.utf8.count + details.reduce(0) { $0 + $1.utf8.count } + fields.reduce(0) { $0 + $1.weight } + 64
    }
}

extension LogEntry: CustomStringConvertible {
    /// The message and the further lines, with control characters escaped.
    public var description: String { LineFormat.plain.text(for: self) }
}

extension LogEntry.Field {
    fileprivate var weight: Int { name.utf8.count + value.weight + 16 }
}

extension LogEntry.Value {
    fileprivate var weight: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .integer, .number, .truth: 8
        case .list(let values): values.reduce(0) { $0 + $1.weight }
        case .fields(let fields): fields.reduce(0) { $0 + $1.weight }
        }
    }
}

extension LogEntry.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .truth(value) }
}
