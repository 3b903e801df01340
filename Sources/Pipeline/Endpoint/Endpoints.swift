public import Dispatch

extension Network {
    /// The endpoints of a service as this network sends them.
    ///
    ///     let todos = network.endpoints(Todos.self)
    ///     let todo = try await todos.send(.todo(1), as: Todo.self)
    ///     try await todos.send(.remove(1))
    ///
    /// - Parameter type: The enumeration.
    public func endpoints<E: Endpoint>(_ type: E.Type = E.self) -> Endpoints<E> { Endpoints(network: self) }
}

/// The endpoints of a service and a network to send them over: ``Network/endpoints(_:)``.
///
/// Each call is a call of the network with the same name. What is not here is there:
/// `network.publisher(for: Todos.todo(1).as(Todo.self))`.
public struct Endpoints<E: Endpoint>: Sendable {
    /// The network.
    public let network: Network

    /// Sends an endpoint and returns what the server answered, decoded.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - type: What the answer is read as; see ``Request/as(_:)``.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
    public func send<Value: Decodable & Sendable>(
        _ endpoint: E,
        as type: Value.Type,
        priority: TaskPriority? = nil
    ) async throws(NetworkError) -> Value {
        try await network.send(endpoint.as(type), priority: priority)
    }

    /// Sends an endpoint and returns the response, undecoded.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    /// - Throws: ``NetworkError`` for everything that can go wrong, an unacceptable status and cancellation included.
    @discardableResult
    public func send(_ endpoint: E, priority: TaskPriority? = nil) async throws(NetworkError) -> NetworkResponse {
        try await network.send(endpoint, priority: priority)
    }

    /// Sends an endpoint and returns the value together with status, header fields, metrics and the number of attempts.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - type: What the answer is read as; see ``Request/as(_:)``.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    /// - Throws: ``NetworkError`` for everything that can go wrong, cancellation included.
    public func reply<Value: Decodable & Sendable>(
        to endpoint: E,
        as type: Value.Type,
        priority: TaskPriority? = nil
    ) async throws(NetworkError) -> Reply<Value> {
        try await network.reply(to: endpoint.as(type), priority: priority)
    }

    /// Sends an endpoint and returns the value or the error, without throwing.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - type: What the answer is read as; see ``Request/as(_:)``.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    public func result<Value: Decodable & Sendable>(
        of endpoint: E,
        as type: Value.Type,
        priority: TaskPriority? = nil
    ) async -> Result<Value, NetworkError> {
        await network.result(of: endpoint.as(type), priority: priority)
    }

    /// Sends an endpoint and returns as soon as the head of the response is in; its body is read while it arrives.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    /// - Throws: ``NetworkError`` for everything that can go wrong before the body begins.
    public func stream(_ endpoint: E, priority: TaskPriority? = nil) async throws(NetworkError) -> NetworkResponse {
        try await network.stream(endpoint, priority: priority)
    }

    /// The states of a send: idle, loading, then loaded or failed; see ``Network/states(of:priority:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - type: What the answer is read as; see ``Request/as(_:)``.
    ///   - priority: The priority of the send; the reading task's unless told otherwise.
    public func states<Value: Decodable & Sendable>(
        of endpoint: E,
        as type: Value.Type,
        priority: TaskPriority? = nil
    ) -> LoadStates<Value> {
        network.states(of: endpoint.as(type), priority: priority)
    }

    /// How far the bodies of a send get, and the value in the end; see ``Network/updates(of:priority:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - type: What the answer is read as; see ``Request/as(_:)``.
    ///   - priority: The priority of the send; the reading task's unless told otherwise.
    public func updates<Value: Decodable & Sendable>(
        of endpoint: E,
        as type: Value.Type,
        priority: TaskPriority? = nil
    ) -> TransferUpdates<Value> {
        network.updates(of: endpoint.as(type), priority: priority)
    }

    /// Sends an endpoint and calls back on the main actor.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - type: What the answer is read as; see ``Request/as(_:)``.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - completion: Called exactly once, on the main queue.
    /// - Returns: A handle to cancel the send with.
    @discardableResult
    public func send<Value: Decodable & Sendable>(
        _ endpoint: E,
        as type: Value.Type,
        priority: TaskPriority? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> SendHandle {
        network.send(endpoint.as(type), priority: priority, completion: completion)
    }

    /// Sends an endpoint and calls back on a queue.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - type: What the answer is read as; see ``Request/as(_:)``.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    ///   - queue: Where to call back.
    ///   - completion: Called exactly once.
    /// - Returns: A handle to cancel the send with.
    @discardableResult
    public func send<Value: Decodable & Sendable>(
        _ endpoint: E,
        as type: Value.Type,
        priority: TaskPriority? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> SendHandle {
        network.send(endpoint.as(type), priority: priority, on: queue, completion: completion)
    }
}
