public import Foundation

/// Something to ask of a server: how to ask, and how to read the answer.
///
/// Name the response type and build the network request; the rest has defaults.
///
///     struct FindUser: Request {
///         typealias Response = User
///         let name: String
///
///         func buildRequest(with baseURL: URL) throws -> NetworkRequest {
///             NetworkRequest(url: try baseURL.joining("users").appending(query: ["name": name]))
///         }
///     }
///
/// These response types read themselves: anything `Decodable` and its optional, `Data`, `Data?`, `String`, `String?`,
/// `Void`, and ``NetworkResponse``. An empty body gives `nil` for an optional and is an `empty-body` error for a value;
/// responses that have no body by definition (204, 205, 304, and to HEAD) are never decoded. For any other type, or to
/// read the answer in your own way, write ``response(from:)``.
public protocol Request<Response>: Sendable {
    /// What the answer is read as.
    associatedtype Response: Sendable

    /// Makes the network request.
    ///
    /// - Parameter baseURL: The network's base URL. A request that needs none ignores it.
    /// - Throws: Anything. It ends the send as the cause of an `invalid-request` error, unless it is a ``NetworkError``.
    func buildRequest(with baseURL: URL) throws -> NetworkRequest

    /// Makes the network request for a network that may have no base URL.
    ///
    /// The engine calls this one. Requests that bring a URL of their own implement it; for all others it calls
    /// ``buildRequest(with:)``, or fails with `invalid-request` if there is no base URL.
    func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest

    /// Reads the answer.
    ///
    /// It is called once for a response with an acceptable status, off the main thread.
    ///
    /// - Throws: Anything. It ends the send as the cause of a `decoding-failed` error, unless it is a ``NetworkError``.
    func response(from response: NetworkResponse) async throws -> Response

    /// Values for actions. They win over those that ``buildRequest(with:)`` sets under the same names.
    var customProperties: CustomProperties { get }

    /// Actions of this request alone. They stand further in than the network's, in their zones.
    var actions: [any Action] { get }

    /// The type that the request goes by wherever requests are told apart by their type: its own, unless it wraps another
    /// request and stands for that.
    var requestType: any Request.Type { get }
}

extension Request {
    /// No values.
    public var customProperties: CustomProperties { [:] }

    /// No actions.
    public var actions: [any Action] { [] }

    /// The type itself.
    public var requestType: any Request.Type { Self.self }

    /// Calls ``buildRequest(with:)``, or fails with `invalid-request` if there is no base URL.
    public func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        try buildRequest(requiring: baseURL)
    }

    func buildRequest(requiring baseURL: URL?) throws -> NetworkRequest {
        guard let baseURL else {
            throw NetworkError(
                .invalidRequest,
                "\(Self.self) builds on a base URL and the network has none; give the network one",
                reach: .no
            )
        }
        return try buildRequest(with: baseURL)
    }
}

extension NetworkRequest: Request {
    /// The response, whole and undecoded.
    public typealias Response = NetworkResponse

    /// The request itself.
    public func buildRequest(with baseURL: URL) -> NetworkRequest { self }

    /// The request itself.
    public func buildRequest(withOptional baseURL: URL?) -> NetworkRequest { self }
}
