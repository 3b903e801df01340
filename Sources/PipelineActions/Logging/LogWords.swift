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

    private(set) var fields: [LogEntry.Field] = []
    private(set) var text = ""
    private var hasParts = false

    /// - Parameter start: What the text begins with.
    init(_ event: String, _ request: Line?, after start: String) {
        fields.reserveCapacity(10)
        // A line is as long as its URL and some words; what is made once need not grow.
        text.reserveCapacity(start.utf8.count + (request?.url.utf8.count ?? 0) + 96)
        text += start
        fields.append(.init("event", .text(event)))
        guard let request else { return }
        text += request.method
        text += " "
        text += request.url
        text += " "
        fields.append(.init("method", .text(request.method)))
        fields.append(.init("url", .text(request.url)))
    }

    mutating func add(_ part: String, _ field: LogEntry.Field) {
        add(part)
        fields.append(field)
    }

    private mutating func add(_ part: String) {
        if hasParts { text += ", " }
        text += part
        hasParts = true
    }

    mutating func add(failure error: NetworkError, _ redaction: RedactionPolicy) {
        let place = error.step.map { " in \($0)" } ?? ""
        // An error holds no secret by its own rules; what an action of somebody else's put into it is another matter.
        let reason = redaction.redacted(error.message)
        add("\(error.code)\(place): \(reason)")
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
        if !isSaid { add(attempts == 1 ? "1 attempt" : "\(attempts) attempts") }
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
