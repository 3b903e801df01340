import Foundation
import Pipeline

/// What a server remembers of its connections and requests.
final class LoopbackRecorder: Sendable {
    let isOn: Bool
    let requests = LoopbackLog<LoopbackRequest>()
    /// Connections that have ended, in the order of their ends.
    let endings = LoopbackLog<LoopbackConnection>()
    /// All connections; the one with number n at n - 1.
    private let all = Locked<[LoopbackConnection]>([])

    init(isOn: Bool) {
        self.isOn = isOn
    }

    var connections: [LoopbackConnection] { all.withLock { $0 } }

    func began(_ id: Int) {
        guard isOn else { return }
        all.withLock { $0.append(LoopbackConnection(id: id)) }
    }

    func received(_ bytes: UnsafeRawBufferPointer, on id: Int) {
        all.withLock { $0[id - 1].bytesReceived.append(contentsOf: bytes) }
    }

    func arrived(_ request: LoopbackRequest) {
        guard isOn else { return }
        all.withLock { $0[request.connectionID - 1].requests.append(request) }
        requests.append(request)
    }

    func ended(_ id: Int, _ ending: LoopbackConnection.Ending) {
        guard isOn else { return }
        let connection = all.withLock { all in
            all[id - 1].ending = ending
            return all[id - 1]
        }
        endings.append(connection)
    }

    func finish() {
        requests.finish()
        endings.finish()
    }
}
