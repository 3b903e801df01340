/// Sends over Foundation's `URLSession`.
public struct URLSessionTransport: Transport {
    /// Creates a transport.
    public init() {}

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        throw NetworkError(.transportUnavailable, reach: .no)
    }
}
