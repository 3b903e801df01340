import Foundation
import Pipeline

/// What a log must remember of a send until its end.
struct FollowedSend: Sendable {
    /// What was asked for; `nil` if logging was off then.
    var method: HTTPMethod?
    var url: URL?
    /// The names of query items that its requests call secrets: whatever repeats a query, `Location` say, is read with them.
    var secretQueryNames: Set<String> = []
    /// The attempt that runs or ran last, and when it began.
    var attempt = 0
    var attemptStart = Duration.zero
    /// The size of a body that was a stream.
    var bytesReceived: Int?

    fileprivate mutating func keepSecrets(of request: NetworkRequest) {
        let names = request.secretQueryNames
        if !names.isEmpty { secretQueryNames.formUnion(names) }
    }
}

extension FollowedSend: CustomReflectable {
    /// That there is one: the URL can hold secrets, and whoever dumps an action did not ask for them.
    var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

/// The sends that are under way, as far as a log needs them.
///
/// The context's store would hold this too, but the events of a stream come without a request to find the context by.
final class FollowedSends: Sendable {
    private let sends = Guarded<[SendID: FollowedSend]>([:])

    /// Takes in an event.
    ///
    /// - Parameter isWritten: Whether anything is written now. If not, only the end of a send matters.
    /// - Returns: What is known of the send; `nil` if there is nothing to write about this event.
    func follow(_ event: SendEvent, isWritten: Bool) -> FollowedSend? {
        let end = Self.end(event)
        guard Self.concerns(event), isWritten || end else { return nil }
        return sends.withLock { sends in
            var send = sends[event.id] ?? FollowedSend()
            switch event.kind {
            case .began(let request):
                send.method = request.method
                send.url = request.url
                send.keepSecrets(of: request)
                sends[event.id] = send
            case .attemptBegan(let number, let request):
                send.attempt = number
                send.keepSecrets(of: request)
                send.attemptStart = event.time
                sends[event.id] = send
            case .transferEnded(_, let metrics):
                send.bytesReceived = metrics?.bytesReceived
                if sends[event.id] != nil { sends[event.id] = send }
                return nil
            default:
                if end { sends[event.id] = nil }
            }
            return isWritten ? send : nil
        }
    }

    /// Whether a log has anything to say about the event. The most frequent ones are not worth a lock.
    private static func concerns(_ event: SendEvent) -> Bool {
        switch event.kind {
        case .progress, .passed, .delivered, .threw: false
        default: true
        }
    }

    /// Whether nothing follows.
    private static func end(_ event: SendEvent) -> Bool {
        switch event.kind {
        case .ended(.failure), .streamEnded: true
        case .ended(.success(let response)): response.body.stream == nil
        default: false
        }
    }
}
