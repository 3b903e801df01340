import Foundation

extension Network {
    /// Sends a request and returns as soon as the head of the response is in; its body is read while it arrives, in chunks of
    /// `Data`.
    ///
    ///     let response = try await network.stream(GetFeed())
    ///     for try await chunk in response.body { consume(chunk) }
    ///
    /// The response is not decoded, whatever type the request has; ``NetworkResponse/lines(upTo:)`` and
    /// ``NetworkResponse/jsonLines(of:decoder:upTo:)`` read it line by line. Reading slowly slows the transfer down. The send
    /// is under way until the body ends: by itself, by an error, by cancellation, or because its reader is let go of. What
    /// breaks it off is a ``NetworkError`` as well.
    ///
    /// The total time limit runs until then too (``TimeLimits/total``, 5 minutes unless told otherwise).
    ///
    /// - Parameters:
    ///   - request: The request. Whatever it says about the delivery of the body, that is left a stream.
    ///   - priority: The priority of the send; the calling task's unless told otherwise.
    /// - Throws: ``NetworkError`` for everything that can go wrong before the body begins, an unacceptable status included.
    public func stream(
        _ request: some Request,
        priority: TaskPriority? = nil
    ) async throws(NetworkError) -> NetworkResponse {
        try await send(StreamedRequest(request), priority: priority)
    }
}

/// A request whose response is the head, with a body that is left a stream.
struct StreamedRequest<Base: Request>: Request {
    typealias Response = NetworkResponse

    private let base: Base
    private let configure: @Sendable (inout NetworkRequest) -> Void

    /// - Parameter configure: Changes the network request after the base has built it.
    init(_ base: Base, configure: @escaping @Sendable (inout NetworkRequest) -> Void = { _ in }) {
        self.base = base
        self.configure = configure
    }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try buildRequest(withOptional: baseURL)
    }

    func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        var request = try base.buildRequest(withOptional: baseURL)
        request.delivery = .stream
        configure(&request)
        return request
    }

    var customProperties: CustomProperties { base.customProperties }

    var actions: [any Action] { base.actions }

    var requestType: any Request.Type { base.requestType }
}
