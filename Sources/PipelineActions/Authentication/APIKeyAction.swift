import Foundation
public import Pipeline

/// Sends an API key with each request, in a header field or a query item.
///
///     let network = Network(baseURL: api, actions: [.apiKey(key, in: .header("X-Api-Key"))])
///
/// Prefer a header field: URLs end up in the logs of servers and proxies. The field is a secret whatever its name; the name of
/// the query item is in `secretQueryNames`, so that whatever prints queries leaves its value out.
///
/// **Where it belongs:** first in the hop zone, before a cache and before retrying. In the hop zone, since the key belongs to
/// certain origins and each hop is judged by itself.
///
/// **What it may send twice:** nothing. It asks for no retry.
///
/// **What it never does:** it attaches nothing outside its ``CredentialOrigins``, nor once the send has left them; nothing to a
/// request that has the field or the item already, or whose `requiresAuthentication` is `false`. A
/// key in a query does not follow a redirect: the redirect starts from the URL without it.
///
/// **How to test:** look at the requests that a `ScriptedTransport` was sent.
public struct APIKeyAction: RequestWillBeginAction {
    /// Where a key goes.
    public enum Place: Sendable, Hashable {
        /// Into the header field of this name.
        case header(HTTPFieldName)
        /// Into the query item of this name, at the end of the query.
        case query(String)
    }

    private let key: Secret<String>
    private let place: Place
    private let origins: CredentialOrigins

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - key: The key, as plain text. In a header field it stands as it is, so a scheme belongs in front of it: `ApiKey …`.
    ///   - place: Where it goes.
    ///   - origins: Where it belongs; to the origin of the network's base URL unless told otherwise.
    public init(_ key: String, in place: Place, origins: CredentialOrigins = .baseURL) {
        self.key = Secret(key)
        self.place = place
        self.origins = origins
    }

    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] {
        [RequiresAuthentication.self, SecretQueryNames.self]
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let isTaken =
            switch place {
            case .header(let name): request.headers.contains(name)
            case .query(let name): request.hasQueryItem(name)
            }
        var request = request
        // One that is there already is a key too: the request's own, or this one, which a redirect has brought back.
        if isTaken, case .query(let name) = place { request.secretQueryNames.insert(name) }
        guard let bound = try origins.attachment(to: request, by: "APIKeyAction", unless: isTaken) else {
            return .proceed(request)
        }
        switch place {
        case .header(let name):
            request.headers.setSensitive(key.value, for: name, origins: bound)
        case .query(let name):
            request.url = request.url.appending(query: [name: key.value])
            request.secretQueryNames.insert(name)
        }
        return .proceed(request)
    }
}

extension NetworkRequest {
    /// Whether the query has an item of this name, however it is encoded.
    fileprivate func hasQueryItem(_ name: String) -> Bool {
        let query = url.absoluteURL.query(percentEncoded: true) ?? ""
        return query.utf8.split(separator: UInt8(ascii: "&")).contains { item in
            let encoded = String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            return encoded == name || encoded.removingPercentEncoding == name
        }
    }
}

extension Action where Self == APIKeyAction {
    /// Sends an API key with each request; see ``APIKeyAction``.
    ///
    /// - Parameters:
    ///   - key: The key, as plain text.
    ///   - place: Where it goes.
    ///   - origins: Where it belongs; to the origin of the network's base URL unless told otherwise.
    public static func apiKey(
        _ key: String,
        in place: APIKeyAction.Place,
        origins: CredentialOrigins = .baseURL
    ) -> APIKeyAction {
        APIKeyAction(key, in: place, origins: origins)
    }
}
