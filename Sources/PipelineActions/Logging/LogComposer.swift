import Foundation
import Pipeline

/// Decides which events of a send are written, and as what.
struct LogComposer {
    let level: LoggingAction.Level
    let zone: ActionZone
    let redaction: RedactionPolicy
    let bodyLimit: Int

    /// The entry for an event; `nil` if there is none at this level.
    func entry(for event: SendEvent, of send: FollowedSend) -> LogEntry? {
        if let entry = verboseEntry(for: event, of: send) { return entry }
        switch event.kind {
        case .misuse(let action, let rule):
            return note(.warning, "!", "misuse", event, action: action, "\(action) \(redaction.redacted(rule))")
        case .pinViolation(let violation) where !violation.isRefused:
            // One that is refused is the error of the send.
            return note(.warning, "!", "pin-violation", event, redaction.redacted("\(violation)"))
        case .note(let action, let decision as PinningDecision) where level >= .info:
            // Whoever reads the log must see which requests went without pins.
            return note(.warning, "!", "pinning", event, action: action, "\(action): \(decision)")
        case .ended(let outcome) where zone == .send:
            let attempts = attempts(of: outcome)
            return ending(outcome, event, send, age: event.age, attempts: attempts, name: "send")
        case .attemptEnded(_, let outcome) where zone == .hop:
            return ending(outcome, event, send, age: event.time - send.attemptStart, attempts: nil, name: "attempt")
        case .streamEnded(let end):
            return streamEnding(end, event, send)
        default:
            return nil
        }
    }

    // MARK: Endings

    private func ending(
        _ outcome: Outcome,
        _ event: SendEvent,
        _ send: FollowedSend,
        age: Duration,
        attempts: Int?,
        name: String
    ) -> LogEntry? {
        let level: LogLevel =
            switch outcome {
            case .success: .info
            // Calling off a send is the program's wish, not a fault.
            case .failure(let error): error.isCancellation ? .info : .error
            }
        guard level == .error || self.level >= .info else { return nil }
        let start = (level == .error ? "✗ " : "← ") + number(event, send) + " "
        var words = LogWords(name, request(of: outcome, send), after: start)
        switch outcome {
        case .success(let response):
            words.add(response.status.description, .init("status", .integer(response.status.code)))
        case .failure(let error):
            words.add(failure: error, redaction)
        }
        words.add(duration: age)
        if let attempts { words.add(attempts: attempts, isSaid: level == .error && attempts > 1) }
        if case .success(let response) = outcome { words.add(bodyOf: response) }
        var entry = LogEntry(level, words.text, fields: words.fields, send: event.id)
        if self.level == .verbose, let response = outcome.response { add(response, to: &entry) }
        return entry
    }

    private func streamEnding(_ end: BodyStream.End, _ event: SendEvent, _ send: FollowedSend) -> LogEntry? {
        var level = LogLevel.info
        if case .failed = end { level = .error }
        guard level == .error || self.level >= .info else { return nil }
        let start = (level == .error ? "✗ " : "← ") + number(event, send) + " "
        var words = LogWords("stream", request(nil, send), after: start)
        switch end {
        case .finished: words.add("stream finished", .init("end", "finished"))
        case .cancelled: words.add("stream cancelled", .init("end", "cancelled"))
        case .abandoned: words.add("stream let go of", .init("end", "abandoned"))
        case .failed(let error):
            words.add("stream failed", .init("end", "failed"))
            words.add(failure: error, redaction)
        }
        words.add(duration: event.age)
        if let bytes = send.bytesReceived { words.add(bytes: bytes) }
        return LogEntry(level, words.text, fields: words.fields, send: event.id)
    }

    // MARK: What only verbose logs have

    private func verboseEntry(for event: SendEvent, of send: FollowedSend) -> LogEntry? {
        guard level == .verbose else { return nil }
        switch event.kind {
        case .attemptBegan(let attempt, let request):
            return began(request, attempt: attempt, event, send)
        case .responseBegan(let response) where zone == .hop:
            return note(.debug, "←", "head", event, "\(response.status), the head is in")
        case .interimResponse(let status, let headers):
            var entry = note(.debug, "←", "interim", event, "\(status)")
            entry.details = headers.map(line)
            return entry
        case .responded(let action, let response):
            return note(.debug, "·", "answer", event, action: action, "\(action) answered \(response.status)")
        case .retrying(let action, let pause):
            return note(.debug, "↻", "retry", event, action: action, "again after \(pause), says \(action)")
        case .retryRefused(let action, let refusal):
            return note(
                .debug,
                "↻",
                "retry-refused",
                event,
                action: action,
                "\(action) was refused a retry: \(refusal)"
            )
        case .waitingForNetwork(let path):
            return note(.debug, "…", "wait", event, "waits for the network, which is \(path)")
        case .redirected(let status, let next):
            let url = redaction.redactedURL(of: next)
            return note(.debug, "↪", "redirect", event, "\(status.code) to \(next.method) \(url)")
        case .note(let action, let text):
            return note(.debug, "·", "note", event, action: action, "\(action): \(redaction.redacted("\(text)"))")
        case .transport(let text):
            return note(.debug, "·", "transport", event, redaction.redacted(text))
        default:
            return nil
        }
    }

    /// The request as it is sent. In the send zone only the first is shown whole; those after it differ little.
    private func began(_ request: NetworkRequest, attempt: Int, _ event: SendEvent, _ send: FollowedSend) -> LogEntry {
        let url = redaction.redactedURL(of: request)
        let isWhole = zone == .hop || attempt == 1
        let again = isWhole ? "" : " attempt \(attempt),"
        var entry = LogEntry(
            .debug,
            "→ \(number(event, send))\(again) \(request.method) \(url)",
            fields: [
                .init("event", "request"), .init("method", .text(request.method.rawValue)), .init("url", .text(url)),
                .init("attempt", .integer(attempt)),
            ],
            send: event.id
        )
        guard isWhole else { return entry }
        let body = LoggedBody(request.body, headers: request.headers, redaction: redaction, limit: bodyLimit)
        let curl = CURLCommand(request, redaction: redaction, bodyLimit: bodyLimit).description
        add(request.headers, body, to: &entry)
        entry.details += ["", curl]
        entry.fields.append(.init("curl", .text(curl)))
        return entry
    }

    private func add(_ response: NetworkResponse, to entry: inout LogEntry) {
        add(response.headers, LoggedBody(response, redaction: redaction, limit: bodyLimit), to: &entry)
    }

    private func add(_ headers: HTTPHeaders, _ body: LoggedBody, to entry: inout LogEntry) {
        entry.details += headers.map(line)
        if !body.lines.isEmpty { entry.details += [""] + body.lines }
        entry.fields.append(.init("headers", .list(headers.map { .text(line($0)) })))
        if !body.lines.isEmpty { entry.fields.append(.init("body", .text(body.lines.joined(separator: "\n")))) }
    }

    private func line(_ field: HTTPField) -> String { "\(field.name.spelling): \(redaction.redactedValue(of: field))" }

    // MARK: Words

    private func note(
        _ level: LogLevel,
        _ mark: String,
        _ name: String,
        _ event: SendEvent,
        action: String? = nil,
        _ text: String
    ) -> LogEntry {
        var fields = [LogEntry.Field("event", .text(name)), .init("text", .text(text))]
        if let action { fields.append(.init("action", .text(action))) }
        return LogEntry(level, "\(mark) \(event.id) \(text)", fields: fields, send: event.id)
    }

    /// The number of the send; in a wire log with that of the attempt.
    private func number(_ event: SendEvent, _ send: FollowedSend) -> String {
        zone == .hop ? "\(event.id).\(send.attempt)" : "\(event.id)"
    }

    private func attempts(of outcome: Outcome) -> Int {
        switch outcome {
        case .success(let response): response.request.context.attempt
        case .failure(let error): error.attempts
        }
    }

    /// What was asked for. Whoever listens only since a moment ago takes it from the outcome.
    private func request(of outcome: Outcome, _ send: FollowedSend) -> LogWords.Line? {
        let sent = outcome.response?.request
        if zone == .hop, let sent { return .init(sent.method.rawValue, redaction.redactedURL(of: sent)) }
        if let line = request(sent, send) { return line }
        guard case .failure(let error) = outcome, let line = error.request else { return nil }
        return .init(line.method.rawValue, line.url)
    }

    private func request(_ sent: NetworkRequest?, _ send: FollowedSend) -> LogWords.Line? {
        if let method = send.method, let url = send.url { return .init(method.rawValue, redaction.redacted(url)) }
        return sent.map { .init($0.method.rawValue, redaction.redactedURL(of: $0)) }
    }
}

extension Outcome {
    fileprivate var response: NetworkResponse? {
        switch self {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }
}
