public import Pipeline

/// A transport that answers requests by what they say of themselves: their mocks.
///
///     let network = Network(baseURL: api, transport: MockingTransport())
///     let todo = try await network.send(GetTodo(id: 1))       // GetTodo is a MockedRequest
///
/// A request without a mock fails with an ``UnmatchedRequest``, or goes to another transport if there is one.
public final class MockingTransport: Transport {
    private let other: (any Transport)?

    /// Creates a transport.
    ///
    /// - Parameter other: Takes the requests that have no mock; without it they fail.
    public init(otherwise other: (any Transport)? = nil) {
        self.other = other
    }

    /// What the other transport can do; without one, what is asked of all, and streamed requests.
    public var capabilities: TransportCapabilities { other?.capabilities ?? [.streamedRequests, .exactHeaders] }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try Task.checkCancellation()
        if let mock = request.mock { return try mock(request) }
        if let other { return try await other.send(request) }
        let reason = "it has no mock; conform it to MockedRequest, or set NetworkRequest.mock"
        let candidate = UnmatchedRequest.Candidate(name: "\(request.context.requestType)", reasons: [reason])
        throw UnmatchedRequest(request, [candidate], summary: "nothing is sent here").error
    }

    public func shutdown() async { await other?.shutdown() }
}

extension Network {
    /// This network with mocks for answers, and all its actions.
    ///
    /// - Parameter sendingOthers: Whether requests without a mock are sent; they fail unless told otherwise.
    public func mocking(sendingOthers: Bool = false) -> Network {
        replacingTransport { MockingTransport(otherwise: sendingOthers ? $0 : nil) }
    }
}
