public import Foundation

/// A request with options that hold for one send.
///
/// It is what ``Request/configured(_:)`` makes.
public struct ConfiguredRequest<Base: Request>: Request {
    public typealias Response = Base.Response

    private let base: Base
    private let configure: @Sendable (inout NetworkRequest) -> Void

    init(_ base: Base, configure: @escaping @Sendable (inout NetworkRequest) -> Void) {
        self.base = base
        self.configure = configure
    }

    public func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try buildRequest(withOptional: baseURL)
    }

    public func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        var request = try base.buildRequest(withOptional: baseURL)
        request.customProperties = request.customProperties.merging(base.customProperties)
        configure(&request)
        return request
    }

    public func response(from response: NetworkResponse) async throws -> Base.Response {
        try await base.response(from: response)
    }

    public var actions: [any Action] { base.actions }

    /// The type of the request that is configured.
    public var requestType: any Request.Type { base.requestType }
}

extension Request {
    /// This request with options that hold for one send, whichever face sends it.
    ///
    ///     let users = try await network.send(ListUsers().configured { $0.timeLimits.total = .seconds(5) })
    ///
    /// - Parameter configure: Changes the network request after the request has built it.
    public func configured(
        _ configure: @escaping @Sendable (inout NetworkRequest) -> Void
    ) -> ConfiguredRequest<Self> {
        ConfiguredRequest(self, configure: configure)
    }
}
