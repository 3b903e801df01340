public struct URLSessionTransport: Transport {
    public init() {}
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse { fatalError() }
}
