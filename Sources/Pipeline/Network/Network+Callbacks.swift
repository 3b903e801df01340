public import Dispatch

extension Network {
    /// Sends a request and calls back on the main actor.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - completion: Called exactly once, on the main queue; after ``SendHandle/cancel()`` only with a cancelled error.
    /// - Returns: A handle to cancel the send with. Letting go of it does not cancel; put it into a ``SendBag`` for that.
    @discardableResult
    public func send<R: Request>(
        _ request: R,
        priority: TaskPriority? = nil,
        completion: @escaping @MainActor @Sendable (Result<R.Response, NetworkError>) -> Void
    ) -> SendHandle {
        send(request, priority: priority) { handle, result in
            await MainActor.run { completion(handle.unlessCancelled(result)) }
        }
    }

    /// Sends a request and calls back on a queue.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - queue: Where to call back.
    ///   - completion: Called exactly once; after ``SendHandle/cancel()`` only with a cancelled error.
    /// - Returns: A handle to cancel the send with. Letting go of it does not cancel; put it into a ``SendBag`` for that.
    @discardableResult
    public func send<R: Request>(
        _ request: R,
        priority: TaskPriority? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<R.Response, NetworkError>) -> Void
    ) -> SendHandle {
        send(request, priority: priority) { handle, result in
            queue.async { completion(handle.unlessCancelled(result)) }
        }
    }

    private func send<R: Request>(
        _ request: R,
        priority: TaskPriority?,
        deliver: @escaping @Sendable (SendHandle, Result<R.Response, NetworkError>) async -> Void
    ) -> SendHandle {
        let started = start(request, priority: priority)
        let handle = SendHandle(id: started.running.id, registry: core.registry)
        Task(priority: priority) {
            let result: Result<R.Response, NetworkError>
            do throws(NetworkError) { result = .success(try await started.value()) } catch { result = .failure(error) }
            await deliver(handle, result)
        }
        return handle
    }
}

/// A send that was started with a callback.
public final class SendHandle: Sendable {
    /// The identity of the send.
    public let id: SendID

    private let registry: SendRegistry
    private let wasCancelled = Locked(false)

    init(id: SendID, registry: SendRegistry) {
        self.id = id
        self.registry = registry
    }

    /// Cancels the send. The callback is called with a `cancelled` error, also if a value was already on its way to it.
    /// Nothing happens after the callback was called.
    public func cancel() {
        wasCancelled.withLock { $0 = true }
        registry[id]?.stop(NetworkError(.cancelled))
    }

    /// Makes `bag` cancel the send when it is released.
    public func store(in bag: SendBag) {
        bag.insert(self)
    }

    /// Whether ``cancel()`` was called.
    var isCancelled: Bool { wasCancelled.withLock { $0 } }

    /// The result, or a cancelled error in the place of a success if ``cancel()`` was called.
    func unlessCancelled<Value>(_ result: Result<Value, NetworkError>) -> Result<Value, NetworkError> {
        guard case .success = result, isCancelled else { return result }
        return .failure(NetworkError(.cancelled))
    }
}

/// Cancels sends when it is released: a screen keeps one, and its sends go when the screen goes.
public final class SendBag: Sendable {
    private let handles = Locked<[SendHandle]>([])

    /// Creates an empty bag.
    public init() {}

    deinit { cancelAll() }

    /// Makes the bag cancel a send when it is released.
    public func insert(_ handle: SendHandle) {
        handles.withLock { $0.append(handle) }
    }

    /// Cancels all sends in the bag now.
    public func cancelAll() {
        let all = handles.withLock { handles in
            defer { handles = [] }
            return handles
        }
        for handle in all { handle.cancel() }
    }
}
