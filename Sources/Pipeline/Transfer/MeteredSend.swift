import Foundation

/// A send that is under way, with how far it has got. What the faces with progress read.
struct MeteredSend<R: Request>: RunningTransfer {
    let running: RunningSend
    private let started: StartedSend<MeteredRequest<R>>
    private let listener: TransferListener

    /// Starts the send.
    init(_ request: R, on network: Network, priority: TaskPriority?) {
        let listener = TransferListener()
        let started = network.start(MeteredRequest(request, listener), priority: priority)
        self.listener = listener
        self.started = started
        running = started.running
        Task(priority: priority) {
            await started.end()
            listener.finish()
        }
    }

    var mainDirection: TransferProgress.Direction { listener.mainDirection }

    func next() async -> TransferProgress? {
        await withTaskCancellationHandler {
            await listener.next()
        } onCancel: {
            stop()
        }
    }

    func value() async throws(NetworkError) -> R.Response { try await started.value() }

    func stop() { running.stop(NetworkError(.cancelled)) }
}

/// A ``MeteredSend`` of whatever request.
protocol RunningTransfer<Value>: Sendable {
    associatedtype Value: Sendable

    /// Waits for something to tell. If the waiting task is cancelled, the send is.
    ///
    /// - Returns: The latest progress, or `nil` once the send has ended and everything is told.
    func next() async -> TransferProgress?

    /// The value, once.
    func value() async throws(NetworkError) -> Value

    /// Cancels the send.
    func stop()
}

/// A request that brings along who hears of its progress.
private struct MeteredRequest<Base: Request>: Request {
    typealias Response = Base.Response

    private let base: Base
    private let listener: TransferListener

    init(_ base: Base, _ listener: TransferListener) {
        self.base = base
        self.listener = listener
    }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest { try base.buildRequest(with: baseURL) }

    func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        try base.buildRequest(withOptional: baseURL)
    }

    func response(from response: NetworkResponse) async throws -> Base.Response {
        try await base.response(from: response)
    }

    var customProperties: CustomProperties { base.customProperties }

    var actions: [any Action] { base.actions + [listener] }

    var requestType: any Request.Type { base.requestType }
}
