import Foundation
import Pipeline

/// What a case of ``ActionConformance`` plays on: an action in a network, and words for what it expects.
struct ActionStage: Sendable {
    let rule: String
    let request: NetworkRequest
    let makeAction: @Sendable () -> any Action
    private let misuses = MisuseMonitor()

    static var plainRequest: NetworkRequest {
        guard let url = URL(string: "https://conformance.test/plain") else { preconditionFailure("a URL as it stands") }
        return NetworkRequest(url: url)
    }

    func network(over transport: any Transport) -> Network {
        var configuration = NetworkConfiguration(time: SkippingTime(), monitors: [misuses])
        configuration.acceptableStatuses = HTTPStatusSet(100...599)
        return Network(actions: [makeAction()], transport: transport, configuration: configuration)
    }

    func broken(_ expected: String, saw: String) -> ConformanceFailure {
        ConformanceFailure(rule: rule, expected: expected, seen: saw)
    }

    func expect(_ holds: Bool, _ expected: String, saw: @autoclosure () -> String) throws {
        guard holds else { throw broken(expected, saw: saw()) }
    }

    /// What the engine noticed: calls that came twice, and such.
    func expectNoMisuse() throws {
        guard let first = misuses.log.lines.first else { return }
        throw broken("no misuse", saw: first)
    }

    func expectNoDroppedCompletion(in result: Result<NetworkResponse, NetworkError>) throws {
        guard case .failure(let error) = result, error.code == .completionDropped else { return }
        throw broken("a decision", saw: "\(error)")
    }
}

/// Keeps the texts and nothing else: events hold requests and streams, and what holds them would be taken for the action.
private struct MisuseMonitor: EventMonitor {
    let log = EventLog()

    func record(_ event: SendEvent) {
        if case .misuse(_, let text) = event.kind { log.append(text) }
    }
}

/// Time in which every pause is over at once, so that actions that wait and retry come to their end.
struct SkippingTime: TimeSource {
    private final class Skipped: Sendable {
        let duration = Locked(Duration.zero)
    }

    private let skipped = Skipped()

    var now: Duration { SystemTime.shared.now + skipped.duration.withLock { $0 } }

    var date: Date { SystemTime.shared.date + TimeInterval(skipped.duration.withLock { $0.components.seconds }) }

    func sleep(for duration: Duration, purpose: PausePurpose) async throws {
        try Task.checkCancellation()
        skipped.duration.withLock { $0 += max(duration, .zero) }
    }

    /// None: skipped pauses must not bring limits closer.
    func startLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> (any TimeLimitHandle)? { nil }
}
