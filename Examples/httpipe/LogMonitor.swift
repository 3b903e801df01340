import Foundation
import Pipeline
import PipelineActions

/// How much ``LogMonitor`` writes.
enum LogLevel: Int, Sendable, Comparable {
    /// What went wrong and does not end the send; the error that ends it has a line of its own.
    case error
    /// And a line for the send.
    case info
    /// And every message with its header fields, retries and redirects.
    case verbose

    static let names: KeyValuePairs<String, LogLevel> = ["error": .error, "info": .info, "verbose": .verbose]

    static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// Writes what happens in a send, as lines.
///
/// Queries, passwords, the values of sensitive fields and what else the usual `RedactionPolicy` knows are
/// left out, so that a log can be shown around.
struct LogMonitor: EventMonitor {
    private let level: LogLevel
    private let start: Duration
    private let write: @Sendable (String) -> Void
    private let redaction = RedactionPolicy.standard

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - level: How much to write.
    ///   - start: When the send began, on the clock of its events.
    ///   - write: Takes one or more whole lines.
    init(level: LogLevel, start: Duration, write: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.start = start
        self.write = write
    }

    func record(_ event: SendEvent) {
        let lines = lines(for: event)
        guard !lines.isEmpty else { return }
        write(lines.map { $0 + "\n" }.joined())
    }

    private func lines(for event: SendEvent) -> [String] {
        switch event.kind {
        case .misuse(let action, let text): ["* \(action): \(text)"]
        case .pinViolation(let violation) where !violation.isRefused: ["* \(violation)"]
        case .retryRefused(let action, let refusal): ["* a retry by \(action) was refused: \(refusal)"]
        case .ended(let outcome) where level >= .info: [summary(of: outcome, at: event.time)]
        default: level == .verbose ? details(of: event.kind) : []
        }
    }

    private func summary(of outcome: Outcome, at time: Duration) -> String {
        let age = "\(Int((time - start) / .milliseconds(1))) ms"
        return switch outcome {
        case .success(let response): "* \(response.request): \(response.status) after \(age)"
        case .failure(let error): "* \(error.request.map { "\($0): " } ?? "")\(error.code) after \(age)"
        }
    }

    private func details(of kind: SendEvent.Kind) -> [String] {
        switch kind {
        case .attemptBegan(_, let request):
            ["> \(request)"] + request.headers.map { "> \(shown($0))" }
        case .responseBegan(let response):
            ["< \(response.statusLine)"] + response.headers.map { "< \(shown($0))" }
        case .attemptEnded(let number, .failure(let error)):
            ["* attempt \(number) failed: \(error.code)"]
        case .retrying(let action, let pause) where pause > .zero:
            ["* \(action) tries again after \(pause)"]
        case .redirected(let status, let next):
            ["* \(status): on to \(next)"]
        case .transport(let text):
            ["* \(redaction.redacted(text))"]
        case .note(let action, let note):
            ["* \(action): \(redaction.redacted("\(note)"))"]
        default: []
        }
    }

    /// A field without its secrets, those too that do not stand in a field that is known to hold them.
    private func shown(_ field: HTTPField) -> HTTPField {
        HTTPField(name: field.name, value: redaction.redactedValue(of: field), isSensitive: field.isSensitive)
    }
}

extension NetworkResponse {
    /// The first line of the head. The phrase is the registered one, since transports do not tell the server's.
    var statusLine: String { "\(version?.rawValue ?? "HTTP") \(status)" }
}
