public import Foundation

/// All requests of a service in one enumeration, a case each.
///
///     enum Todos: Endpoint {
///         case all(page: Int)
///         case todo(Int)
///         case add(Draft)
///         case remove(Int)
///
///         var baseURL: BaseURL? { "https://api.example.com/v1" }
///
///         var path: EndpointPath {
///             switch self {
///             case .all, .add: "todos"
///             case .todo(let id), .remove(let id): "todos/\(id)"
///             }
///         }
///
///         var method: HTTPMethod {
///             switch self {
///             case .all, .todo: .get
///             case .add: .post
///             case .remove: .delete
///             }
///         }
///
///         var data: EndpointData {
///             switch self {
///             case .all(let page): .query(["page": page])
///             case .add(let draft): .json(draft)
///             case .todo, .remove: .plain
///             }
///         }
///     }
///
///     let todo = try await network.endpoints(Todos.self).send(.todo(1), as: Todo.self)
///
/// An endpoint is a ``Request`` whose response is the ``NetworkResponse``, so everything that takes a request takes it too:
/// actions, streams, downloads, callbacks. ``Request/as(_:)`` says what to read the answer as:
/// `network.send(Todos.todo(1).as(Todo.self))`. Tokens and other things that go by the type of a request go by the
/// enumeration.
///
/// Only ``path`` has no default.
public protocol Endpoint: Request where Response == NetworkResponse {
    /// What the path is appended to; `nil`, the default, for the network's base URL.
    ///
    /// A network without a base URL can send endpoints that bring theirs. What it throws is the cause of an `invalid-request`
    /// error.
    var baseURL: BaseURL? { get throws }

    /// The path below the base URL.
    var path: EndpointPath { get }

    /// The method; GET unless told otherwise.
    var method: HTTPMethod { get }

    /// The header fields, of values that can be printed; none unless told otherwise.
    var headers: HTTPHeaders { get }

    /// What the request carries, in its query or its body; nothing unless told otherwise.
    var data: EndpointData { get }

    /// What encodes the values in ``data`` that say no encoding of their own; the network's encoder unless told otherwise.
    var encoder: (any BodyEncoder)? { get }

    /// What decodes the answer; the network's decoder unless told otherwise.
    var decoder: (any BodyDecoder)? { get }

    /// The statuses that count as success; the network's, 200 to 299, unless told otherwise.
    var acceptableStatuses: HTTPStatusSet? { get }

    /// How long the request may take; the network's limits unless told otherwise.
    var timeLimits: TimeLimits { get }

    /// The body of the answer where nothing is sent, as over the `MockingTransport` of `PipelineTesting`; none unless told
    /// otherwise. For another status or header fields set ``NetworkRequest/mock`` in ``Request/buildRequest(with:)``.
    var mockedData: Data? { get }
}

extension Endpoint {
    /// None: the network's.
    public var baseURL: BaseURL? { nil }

    /// GET.
    public var method: HTTPMethod { .get }

    /// None.
    public var headers: HTTPHeaders { [:] }

    /// Nothing.
    public var data: EndpointData { .plain }

    /// None: the network's.
    public var encoder: (any BodyEncoder)? { nil }

    /// None: the network's.
    public var decoder: (any BodyDecoder)? { nil }

    /// None: the network's.
    public var acceptableStatuses: HTTPStatusSet? { nil }

    /// None: the network's.
    public var timeLimits: TimeLimits { TimeLimits() }

    /// None.
    public var mockedData: Data? { nil }

    public func buildRequest(withOptional networkURL: URL?) throws -> NetworkRequest {
        let own = try baseURL
        guard let base = try own?.url() ?? networkURL else {
            throw NetworkError(
                .invalidRequest,
                "neither \(Self.self) nor the network has a base URL; give one of them one",
                reach: .no
            )
        }
        return try buildRequest(with: base, isOwn: own != nil)
    }

    public func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try buildRequest(withOptional: baseURL)
    }

    private func buildRequest(with baseURL: URL, isOwn: Bool) throws -> NetworkRequest {
        var request = NetworkRequest(method: method, url: try path.url(on: baseURL), headers: headers)
        if isOwn { request.baseURL = baseURL }
        if let encoder { request.encoder = encoder }
        if let decoder { request.decoder = decoder }
        if let acceptableStatuses { request.acceptableStatuses = acceptableStatuses }
        request.timeLimits = timeLimits
        if let mockedData { request.mock = { NetworkResponse(mocking: mockedData, for: $0) } }
        try data.put(into: &request)
        return request
    }
}
