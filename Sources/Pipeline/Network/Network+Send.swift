extension Network {
    /// Sends a request and returns what the server answered, decoded.
    ///
    /// The send runs in a task of its own, never on the caller's actor. Cancelling the calling task cancels it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
    public func send<R: Request>(
        _ request: R,
        priority: TaskPriority? = nil
    ) async throws(NetworkError) -> R.Response {
        let started = start(request, priority: priority)
        _ = try await started.response()
        return started.takeValue()
    }

    /// Sends a request and returns the value together with status, header fields, metrics and the number of attempts.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
    public func reply<R: Request>(
        to request: R,
        priority: TaskPriority? = nil
    ) async throws(NetworkError) -> Reply<R.Response> {
        let started = start(request, priority: priority)
        let response = try await started.response()
        return Reply(
            value: started.takeValue(),
            response: response,
            attempts: response.request.context.attempt,
            id: started.running.id
        )
    }

    /// Sends a request and returns the value or the error, without throwing.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    public func result<R: Request>(
        of request: R,
        priority: TaskPriority? = nil
    ) async -> Result<R.Response, NetworkError> {
        do { return .success(try await send(request, priority: priority)) } catch { return .failure(error) }
    }
}

/// A decoded value with all about the response it came in.
public struct Reply<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// The response: status, header fields, body, metrics, and the request as it was sent.
    public let response: NetworkResponse

    /// How many attempts the send made; 0 if an action answered.
    public let attempts: Int

    /// The identity of the send.
    public let id: SendID

    /// The status.
    public var status: HTTPStatus { response.status }

    /// The header fields.
    public var headers: HTTPHeaders { response.headers }

    /// Times and sizes of the last attempt, if the transport measured them.
    public var metrics: AttemptMetrics? { response.metrics }
}
