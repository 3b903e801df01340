import Foundation
import Pipeline

/// Entries as JSON, one object on one line each, for programs that collect and search logs.
///
///     {"time":"2026-03-01T12:00:00.250Z","level":"info","send":12,"message":"← 12 GET …","method":"GET","status":200}
///
/// `time` is in UTC (RFC 3339); `send` is there if the entry is about one. The fields of the entry follow by their names; one
/// that is called like the first four is written with an underscore in front. Control characters are escaped, beyond ASCII
/// too, so that the lines can be shown on a terminal.
public struct JSONLinesFormat: LogFormat, Hashable {
    /// Creates the format.
    public init() {}

    public func text(for entry: LogEntry) -> String {
        var text = "{\"time\":" + Self.quoted(LogDate.text(entry.date))
        text += ",\"level\":" + Self.quoted(entry.level.rawValue)
        if let send = entry.send { text += ",\"send\":" + send.description }
        text += ",\"message\":" + Self.quoted(entry.message)
        for field in entry.fields {
            let name = Self.reserved.contains(field.name) ? "_" + field.name : field.name
            text += "," + Self.quoted(name) + ":" + Self.text(field.value)
        }
        return text + "}"
    }

    private static let reserved: Set<String> = ["time", "level", "send", "message"]

    private static func text(_ value: LogEntry.Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .integer(let number): String(number)
        case .number(let number): number.isFinite ? number.description : "null"  // JSON has no infinity.
        case .truth(let truth): truth ? "true" : "false"
        case .list(let values): "[" + values.map(text).joined(separator: ",") + "]"
        case .fields(let fields):
            "{" + fields.map { quoted($0.name) + ":" + text($0.value) }.joined(separator: ",") + "}"
        }
    }

    /// A JSON string (RFC 8259, section 7).
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where Printable.isControl(scalar):  // All of them have four hexadecimal digits at most.
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
