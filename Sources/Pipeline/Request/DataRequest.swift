public import Foundation

/// A request that asks what another one asks, and reads the answer as a type that is named where it is sent.
///
///     let users: [User] = try await network.send(DataRequest(.get("users").query(["page": 2])))
///     try await network.send(DataRequest<Void>(.delete("users/7")))
///
/// The types that read themselves are those of ``Request``: anything `Decodable` and its optional, `Data`, `Data?`, `String`,
/// `String?`, `Void`, and ``NetworkResponse``, all by the same rules. For any other type, or to read the answer in your own
/// way, give a closure: ``init(_:reading:)``.
public struct DataRequest<Response: Sendable>: Request {
    private let base: any Request
    private let read: @Sendable (NetworkResponse) async throws -> Response

    /// Creates a request with its own way to read the answer.
    ///
    /// - Parameters:
    ///   - base: What is asked; how it would read the answer does not matter.
    ///   - read: Reads a response with an acceptable status, off the main thread. What it throws ends the send as the cause
    ///     of a `decoding-failed` error, unless it is a ``NetworkError``.
    public init(
        _ base: some Request,
        reading read: @escaping @Sendable (NetworkResponse) async throws -> Response
    ) {
        self.base = base
        self.read = read
    }

    public func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try base.buildRequest(withOptional: baseURL)
    }

    public func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        try base.buildRequest(withOptional: baseURL)
    }

    public func response(from response: NetworkResponse) async throws -> Response { try await read(response) }

    public var customProperties: CustomProperties { base.customProperties }

    public var actions: [any Action] { base.actions }

    /// The type of the request that is asked.
    public var requestType: any Request.Type { base.requestType }
}

extension DataRequest where Response: Decodable {
    /// Creates a request whose answer is decoded. An empty body is an `empty-body` error.
    public init(_ base: some Request) {
        self.init(base) { response in
            guard let body = try await response.bodyToDecode() else { throw NetworkError(.emptyBody) }
            return try response.decode(Response.self, from: body)
        }
    }
}

extension DataRequest where Response: Decodable & ExpressibleByNilLiteral {
    /// Creates a request whose answer is decoded; an empty body gives `nil`.
    public init(_ base: some Request) {
        self.init(base) { response in
            guard let body = try await response.bodyToDecode() else { return nil }
            return try response.decode(Response.self, from: body)
        }
    }
}

extension DataRequest where Response == Data {
    /// Creates a request whose answer is taken as it is.
    public init(_ base: some Request) {
        self.init(base) { try await $0.bodyToDecode() ?? Data() }
    }
}

extension DataRequest where Response == Data? {
    /// Creates a request whose answer is taken as it is; an empty body gives `nil`.
    public init(_ base: some Request) {
        self.init(base) { try await $0.bodyToDecode() }
    }
}

extension DataRequest where Response == String {
    /// Creates a request whose answer is text.
    public init(_ base: some Request) {
        self.init(base) { response in try await response.bodyToDecode().map(response.text) ?? "" }
    }
}

extension DataRequest where Response == String? {
    /// Creates a request whose answer is text; an empty body gives `nil`.
    public init(_ base: some Request) {
        self.init(base) { response in try await response.bodyToDecode().map(response.text) }
    }
}

extension DataRequest where Response == Void {
    /// Creates a request whose answer does not matter once its status is acceptable.
    public init(_ base: some Request) {
        self.init(base) { _ in }
    }
}

extension DataRequest where Response == NetworkResponse {
    /// Creates a request whose answer is handed over as it is.
    public init(_ base: some Request) {
        self.init(base) { $0 }
    }
}
