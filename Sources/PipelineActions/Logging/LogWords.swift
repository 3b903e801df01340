import Pipeline

/// A line about an ending, put together from its parts, with the same as fields.
struct LogWords {
    /// A request as a log shows it.
    struct Line {
        let method: String
        let url: String

        init(_ method: String, _ url: String) {
            self.method = method
            self.url = url
        }
    }

    private(set) var fields: [LogEntry.Field]
    private let start: String
    private var parts: [String] = []

    init(_ event: String, _ request: Line?) {
        fields = [.init("event", .text(event))]
        start = request.map { "\($0.method) \($0.url) " } ?? ""
        if let request {
            fields += [.init("method", .text(request.method)), .init("url", .text(request.url))]
        }
    }

    var text: String { start + parts.joined(separator: ", ") }

    mutating func add(_ part: String, _ field: LogEntry.Field) {
        parts.append(part)
        fields.append(field)
    }

    mutating func add(failure error: NetworkError, _ redaction: RedactionPolicy) {
        let place = error.step.map { " in \($0)" } ?? ""
        // An error holds no secret by its own rules; what an action of somebody else's put into it is another matter.
        let reason = redaction.redacted(error.message)
        parts.append("\(error.code)\(place): \(reason)")
        if let status = error.statusCode { fields.append(.init("status", .integer(status))) }
        fields += [.init("error", .text(error.code.rawValue)), .init("reason", .text(reason))]
        if let step = error.step { fields.append(.init("step", .text(step.description))) }
    }

    mutating func add(duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let milliseconds = Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        add("\(milliseconds) ms", .init("duration_ms", .integer(milliseconds)))
    }

    /// - Parameter isSaid: Whether the text has the number already, as the message of an error does where it is not 1.
    mutating func add(attempts: Int, isSaid: Bool) {
        if !isSaid { parts.append("\(attempts) \(attempts == 1 ? "attempt" : "attempts")") }
        fields.append(.init("attempts", .integer(attempts)))
    }

    mutating func add(bytes: Int) {
        add(LoggedBody.size(bytes), .init("bytes", .integer(bytes)))
    }

    /// The size of a body; of a stream that there is one.
    mutating func add(bodyOf response: NetworkResponse) {
        if response.body.stream != nil {
            add("streaming", .init("streaming", true))
        } else if let size = response.body.data?.count ?? response.metrics?.bytesReceived {
            add(bytes: size)
        }
    }
}
