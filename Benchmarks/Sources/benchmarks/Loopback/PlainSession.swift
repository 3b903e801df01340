import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `URLSession` as a program without this package would use it: a delegate that gathers what arrives, and a continuation for
/// each task.
final class PlainSession: Sendable {
    private let delegate = Delegate()
    private let session: URLSession

    init(configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func data(from url: URL) async throws -> Data {
        try await withCheckedThrowingContinuation { reader in
            let task = session.dataTask(with: URLRequest(url: url))
            delegate.expect(task, reader)
            task.resume()
        }
    }

    func invalidate() {
        session.finishTasksAndInvalidate()
    }
}

private final class Delegate: NSObject, URLSessionDataDelegate {
    private struct Transfer {
        let reader: CheckedContinuation<Data, any Error>
        var data = Data()
    }

    private let transfers = Mutex<[Int: Transfer]>([:])

    func expect(_ task: URLSessionTask, _ reader: CheckedContinuation<Data, any Error>) {
        transfers.withLock { $0[task.taskIdentifier] = Transfer(reader: reader) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfers.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            transfer.reader.resume(throwing: error)
        } else {
            transfer.reader.resume(returning: transfer.data)
        }
    }
}
