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
        try await outcome(of: session.dataTask(with: URLRequest(url: url)), gathers: true)
    }

    /// Reads a body and drops it.
    func drain(_ url: URL) async throws {
        _ = try await outcome(of: session.dataTask(with: URLRequest(url: url)), gathers: false)
    }

    /// Puts a file.
    func upload(_ file: URL, to url: URL) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        _ = try await outcome(of: session.uploadTask(with: request, fromFile: file), gathers: true)
    }

    func invalidate() {
        session.finishTasksAndInvalidate()
    }

    private func outcome(of task: URLSessionTask, gathers: Bool) async throws -> Data {
        try await withCheckedThrowingContinuation { reader in
            delegate.expect(task, reader, gathers: gathers)
            task.resume()
        }
    }
}

private final class Delegate: NSObject, URLSessionDataDelegate {
    private struct Transfer {
        let reader: CheckedContinuation<Data, any Error>
        let gathers: Bool
        var data = Data()
    }

    private let transfers = Mutex<[Int: Transfer]>([:])

    func expect(_ task: URLSessionTask, _ reader: CheckedContinuation<Data, any Error>, gathers: Bool) {
        transfers.withLock { $0[task.taskIdentifier] = Transfer(reader: reader, gathers: gathers) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfers.withLock { transfers in
            guard transfers[dataTask.taskIdentifier]?.gathers == true else { return }
            transfers[dataTask.taskIdentifier]?.data.append(data)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        let status = (task.response as? HTTPURLResponse)?.statusCode
        if let error {
            transfer.reader.resume(throwing: error)
        } else if status != 200 {
            transfer.reader.resume(throwing: BenchmarkFailure("URLSession got the status \(status ?? 0)"))
        } else {
            transfer.reader.resume(returning: transfer.data)
        }
    }
}
