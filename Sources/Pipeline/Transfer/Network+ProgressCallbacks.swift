public import Dispatch
public import Foundation

extension Network {
    /// Sends a request and calls back on the main actor: with how far its bodies get, and once with what came of it.
    ///
    /// Progress is told ten times a second at most for each direction, the last of each always, in order; a main actor that is
    /// busy is told the latest. Nothing is told after the completion, nor after the send was cancelled on the main actor.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - progress: Called with each progress, on the main queue.
    ///   - completion: Called exactly once, on the main queue; after a cancellation only with a cancelled error.
    /// - Returns: A handle to cancel the send with, which also has its progress as a `Progress` of Foundation.
    @discardableResult
    public func send<R: Request>(
        _ request: R,
        priority: TaskPriority? = nil,
        progress: @escaping @MainActor @Sendable (TransferProgress) -> Void,
        completion: @escaping @MainActor @Sendable (Result<R.Response, NetworkError>) -> Void
    ) -> TransferHandle {
        send(
            request,
            priority: priority,
            progress: { tell in await MainActor.run { tell().map(progress) } },
            completion: { result in await MainActor.run { completion(result()) } }
        )
    }

    /// Sends a request and calls back on a queue: with how far its bodies get, and once with what came of it.
    ///
    /// As on the main actor, with the queue in its place. A queue that is concurrent is given one call at a time.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - queue: Where to call back.
    ///   - progress: Called with each progress.
    ///   - completion: Called exactly once; after a cancellation only with a cancelled error.
    /// - Returns: A handle to cancel the send with, which also has its progress as a `Progress` of Foundation.
    @discardableResult
    public func send<R: Request>(
        _ request: R,
        priority: TaskPriority? = nil,
        on queue: DispatchQueue,
        progress: @escaping @Sendable (TransferProgress) -> Void,
        completion: @escaping @Sendable (Result<R.Response, NetworkError>) -> Void
    ) -> TransferHandle {
        send(
            request,
            priority: priority,
            progress: { tell in await queue.run { tell().map(progress) } },
            completion: { result in queue.async { completion(result()) } }
        )
    }

    /// - Parameters:
    ///   - progress: Goes where the callbacks run and there asks for what is to be told, if anything still is.
    ///   - completion: Does the same for the end.
    private func send<R: Request>(
        _ request: R,
        priority: TaskPriority?,
        progress tell: @escaping @Sendable (@escaping @Sendable () -> TransferProgress?) async -> Void,
        completion: @escaping @Sendable (@escaping @Sendable () -> Result<R.Response, NetworkError>) async -> Void
    ) -> TransferHandle {
        let send = MeteredSend(request, on: self, priority: priority)
        let handle = TransferHandle(SendHandle(id: send.running.id, registry: core.registry))
        Task(priority: priority) {
            while let progress = await send.next() {
                let isMain = progress.direction == send.mainDirection
                await tell {
                    guard !handle.send.isCancelled else { return nil }
                    if isMain { handle.show(progress) }
                    return progress
                }
            }
            let result: Result<R.Response, NetworkError>
            do throws(NetworkError) { result = .success(try await send.value()) } catch { result = .failure(error) }
            await completion {
                let result = handle.send.unlessCancelled(result)
                handle.end(result.map { _ in })
                return result
            }
        }
        return handle
    }
}

extension DispatchQueue {
    /// Does something on the queue, and waits until it is done.
    fileprivate func run(_ work: @escaping @Sendable () -> Void) async {
        let done = OneShot<Void>()
        async {
            work()
            done.resolve(())
        }
        await done.value()
    }
}

/// A send that was started with callbacks for its progress and its end.
public struct TransferHandle: Sendable {
    /// The send itself, without its progress.
    public let send: SendHandle

    /// The progress of the send, for `NSProgressIndicator`, `UIProgressView`, `ProgressView` and trees of progress.
    ///
    /// It is of the kind `file` and counts bytes: those of the upload if the request is an ``Upload``, those of the download
    /// otherwise. As long as the total is not known it is indeterminate; when the send has succeeded, it is finished. It changes
    /// where the callbacks run, just before they are called, so observers are called there too. Cancelling it cancels the send.
    public let progress: Progress

    init(_ send: SendHandle) {
        self.send = send
        progress = Progress.discreteProgress(totalUnitCount: -1)
        progress.kind = .file
        progress.isCancellable = true
        progress.isPausable = false
        progress.cancellationHandler = { send.cancel() }
    }

    /// The identity of the send.
    public var id: SendID { send.id }

    /// Cancels the send. The completion is called with a `cancelled` error, also if a value was already on its way to it, and
    /// no progress is told any more.
    public func cancel() { progress.cancel() }

    /// Makes `bag` cancel the send when it is released.
    public func store(in bag: SendBag) { send.store(in: bag) }

    fileprivate func show(_ update: TransferProgress) {
        let kind = update.direction == .download ? "Downloading" : "Uploading"
        progress.setUserInfoObject("NSProgressFileOperationKind" + kind, forKey: .fileOperationKindKey)
        progress.setUserInfoObject(update.rate.map { Int($0) }, forKey: .throughputKey)
        progress.setUserInfoObject(update.timeLeft.map { $0 / .seconds(1) }, forKey: .estimatedTimeRemainingKey)
        progress.totalUnitCount = Int64(update.total ?? -1)
        progress.completedUnitCount = Int64(update.completed)
    }

    fileprivate func end(_ result: Result<Void, NetworkError>) {
        progress.setUserInfoObject(nil, forKey: .throughputKey)
        progress.setUserInfoObject(nil, forKey: .estimatedTimeRemainingKey)
        switch result {
        case .success:
            // A body without bytes is finished as well, which a total of zero does not say.
            let count = max(1, progress.completedUnitCount)
            progress.totalUnitCount = count
            progress.completedUnitCount = count
        case .failure(let error):
            if error.isCancellation, !progress.isCancelled { progress.cancel() }
        }
    }
}
