public import Pipeline

/// A list of lines that many can write to: what tests compare with the order they expect.
public final class EventLog: Sendable {
    private let recorded = Locked<[String]>([])

    /// Creates an empty log.
    public init() {}

    /// The lines so far.
    public var lines: [String] { recorded.withLock { $0 } }

    /// Adds a line.
    public func append(_ line: String) {
        recorded.withLock { $0.append(line) }
    }
}

/// An action of all four phases that writes to a log when it is visited, and changes nothing.
///
/// It writes the name it was given and the phase: `A will begin`, `A began`, `A response began`, `A completed 200`; for a
/// failure the code in place of the status.
public struct RecordingAction: RequestWillBeginAction, RequestBeganAction, ResponseBeganAction, ResponseCompletedAction
{
    private let name: String
    private let log: EventLog

    public let zone: ActionZone

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - name: What its lines begin with.
    ///   - log: Where it writes.
    ///   - zone: Where it stands; the send zone unless told otherwise.
    public init(_ name: String, log: EventLog, zone: ActionZone = .send) {
        self.name = name
        self.log = log
        self.zone = zone
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        log.append("\(name) will begin")
        return .proceed(request)
    }

    public func requestBegan(_ request: NetworkRequest) {
        log.append("\(name) began")
    }

    public func responseBegan(_ response: NetworkResponse, for request: NetworkRequest) {
        log.append("\(name) response began")
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        switch outcome {
        case .success(let response): log.append("\(name) completed \(response.status.code)")
        case .failure(let error): log.append("\(name) completed \(error.code)")
        }
        return .deliver(try outcome.get())
    }
}

/// A monitor that keeps the events of all sends.
public final class RecordingMonitor: EventMonitor {
    private let recorded = Locked<[SendEvent]>([])

    /// Creates a monitor that has heard nothing.
    public init() {}

    /// The events so far.
    public var events: [SendEvent] { recorded.withLock { $0 } }

    public func record(_ event: SendEvent) {
        recorded.withLock { $0.append(event) }
    }
}
