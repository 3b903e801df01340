import Foundation
public import Pipeline

extension TokenVault {
    /// The scope that a request uses when it is sent: by its `tokenStrategy`, or by the vault's.
    ///
    /// The request is built for it, on a base URL of no consequence.
    ///
    /// - Throws: What the building throws; `invalid-request` if the strategy is of the wrong type.
    public func scope(of request: some Request) throws -> TokenScope {
        var properties = try request.buildRequest(withOptional: Self.anyBaseURL).customProperties
        properties = properties.merging(request.customProperties)
        guard let value = properties[RequestTokenStrategy.name] else {
            return strategy.scope(for: request.requestType)
        }
        guard let own = value as? TokenStrategy? else {
            throw NetworkError(
                .invalidRequest,
                "the custom property \"\(RequestTokenStrategy.name)\" holds a \(type(of: value)), not a TokenStrategy"
            )
        }
        return (own ?? strategy).scope(for: request.requestType)
    }

    private static let anyBaseURL = URL(string: "https://base.invalid")

    /// The token that a request uses; `nil` if there is none.
    ///
    /// - Throws: What ``scope(of:)`` and the store throw.
    public func token(for request: some Request) async throws -> AccessToken? {
        try await token(for: scope(of: request))
    }

    /// Sets the token that a request uses, as ``set(_:for:)-(_,TokenScope)`` does.
    ///
    /// - Throws: What ``scope(of:)``, the conversion and the store throw.
    public func set(_ token: some AccessTokenConvertible, for request: some Request) async throws {
        try await set(token, for: scope(of: request))
    }

    /// Sets a newer token of the same user for a request, as ``renew(_:for:)-(_,TokenScope)`` does.
    ///
    /// - Throws: What ``scope(of:)``, the conversion and the store throw.
    public func renew(_ token: some AccessTokenConvertible, for request: some Request) async throws {
        try await renew(token, for: scope(of: request))
    }

    /// Removes the token that a request uses, as ``remove(for:)-(TokenScope)`` does.
    ///
    /// - Throws: What ``scope(of:)`` and the store throw.
    public func remove(for request: some Request) async throws {
        try await remove(for: scope(of: request))
    }
}
