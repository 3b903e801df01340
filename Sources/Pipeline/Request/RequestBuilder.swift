public import Foundation

/// A request that is put together on the spot, for programs that do not want a type for each.
///
///     let response = try await network.send(.get("users").segments(name).query(["page": 2]))
///
///     let user: User = try await network.send(DataRequest(.post("users").body(encoding: draft)))
///
/// It begins with a method (`get`, `head`, `post`, `put`, `patch`, `delete`, `method`) and a path below the network's base
/// URL, or a URL of its own; each call returns a changed copy. Its response is the ``NetworkResponse``; a ``DataRequest``
/// reads it as something else. Mistakes in paths and values show when it is built: as `invalid-request` or `encoding-failed`
/// errors of the send, or thrown by ``build()``.
public struct RequestBuilder: Request {
    /// The response, whole and undecoded.
    public typealias Response = NetworkResponse

    private enum Step: Sendable {
        case path(String)
        case segments([String])
    }

    private let method: HTTPMethod
    private let origin: URL?
    private var steps: [Step] = []
    private var query = Query()
    private var headers: HTTPHeaders = [:]
    private var body = RequestBody.none
    private var changes: [@Sendable (inout NetworkRequest) -> Void] = []

    init(_ method: HTTPMethod, path: String) {
        self.method = method
        origin = nil
        steps = [.path(path)]
    }

    init(_ method: HTTPMethod, url: URL) {
        self.method = method
        origin = url
    }

    private func with(_ change: (inout RequestBuilder) -> Void) -> RequestBuilder {
        var copy = self
        change(&copy)
        return copy
    }

    /// Appends a path, by the rule of `URL.joining(_:)`: segments with slashes between them, as plain text.
    public func path(_ path: String) -> RequestBuilder { with { $0.steps.append(.path(path)) } }

    /// Appends segments of the path. Each is data: a slash or a question mark in it is encoded.
    public func segments(_ segments: String...) -> RequestBuilder { with { $0.steps.append(.segments(segments)) } }

    /// Adds items to the query.
    public func query(_ items: Query) -> RequestBuilder { with { $0.query.append(contentsOf: items) } }

    /// Adds the fields of a value to the query.
    ///
    /// - Throws: What `Query.init(encoding:with:)` throws.
    public func query(
        encoding value: some Encodable,
        with encoder: FormEncoder = FormEncoder()
    ) throws -> RequestBuilder {
        query(try Query(encoding: value, with: encoder))
    }

    /// Puts the fields of a value where the method has its parameters: in the query of GET, HEAD and DELETE, in the body of
    /// any other, encoded there as the request or the network says.
    ///
    /// - Throws: What `Query.init(encoding:with:)` throws.
    public func parameters(
        _ value: some Encodable & Sendable,
        with encoder: FormEncoder = FormEncoder()
    ) throws -> RequestBuilder {
        switch method {
        case .get, .head, .delete: try query(encoding: value, with: encoder)
        default: body(encoding: value)
        }
    }

    /// Sets a header field, instead of one that has the name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - isSensitive: Marks the value as a secret, which is not logged and does not follow a redirect to another origin.
    public func header(_ name: HTTPFieldName, _ value: String, isSensitive: Bool = false) -> RequestBuilder {
        with { $0.headers.set(HTTPField(name: name, value: value, isSensitive: isSensitive)) }
    }

    /// Adds header fields to those that are there.
    public func headers(_ fields: HTTPHeaders) -> RequestBuilder { with { $0.headers.append(contentsOf: fields) } }

    /// Sets the body.
    public func body(_ body: RequestBody) -> RequestBuilder { with { $0.body = body } }

    /// Sets a value as the body. It is encoded at build, with the encoder of the request or the network.
    public func body(encoding value: some Encodable & Sendable) -> RequestBuilder { body(.value(value)) }

    /// Sets a form with files as the body.
    public func multipart(_ parts: [FormPart]) -> RequestBuilder { body(.multipart(parts)) }

    /// Sets how long the request may take; what is `nil` stays as it was.
    public func timeLimits(_ limits: TimeLimits) -> RequestBuilder {
        changing { $0.timeLimits = limits.filled(from: $0.timeLimits) }
    }

    /// Sets how long the whole send may take: ``TimeLimits/total``.
    public func timeout(_ total: Duration) -> RequestBuilder { timeLimits(TimeLimits(total: total)) }

    /// Sets any property of the network request, once it is built.
    ///
    ///     .get("feed").setting(\.delivery, to: .stream).setting(\.tag, to: "feed")
    ///
    /// What a header, query or body call sets is there by then, whichever came first.
    public func setting<Value: Sendable>(
        _ property: any WritableKeyPath<NetworkRequest, Value> & Sendable,
        to value: Value
    ) -> RequestBuilder {
        changing { $0[keyPath: property] = value }
    }

    private func changing(_ change: @escaping @Sendable (inout NetworkRequest) -> Void) -> RequestBuilder {
        with { $0.changes.append(change) }
    }

    /// Makes the network request on a URL of its own.
    ///
    /// - Throws: ``MalformedValue`` for a path that leads elsewhere; ``NetworkError`` `invalid-request` if the builder began
    ///   with a path and so needs a base URL: ``build(on:)``.
    public func build() throws -> NetworkRequest { try buildRequest(withOptional: nil) }

    /// Makes the network request on a base URL. A builder that began with a URL ignores it.
    ///
    /// - Throws: ``MalformedValue`` for a path that leads elsewhere.
    public func build(on baseURL: URL) throws -> NetworkRequest { try buildRequest(with: baseURL) }

    public func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        guard let baseURL = origin ?? baseURL else {
            throw NetworkError(
                .invalidRequest,
                "the request begins with a path and there is no base URL; give the network one, or begin with a URL",
                reach: .no
            )
        }
        return try buildRequest(with: baseURL)
    }

    public func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        var url = origin ?? baseURL
        for step in steps {
            switch step {
            case .path(let path): url = try url.joining(path)
            case .segments(let segments): url = try url.appending(segments: segments)
            }
        }
        var request = NetworkRequest(method: method, url: url.appending(query: query), headers: headers, body: body)
        for change in changes { change(&request) }
        return request
    }
}

extension RequestBuilder: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, and the beginning of the address without query and credentials.
    public var description: String { "\(method) \(origin?.redacted ?? "…")" }

    /// The same as ``description``: a debugger and `dump` show no secret either.
    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "headers": headers], displayStyle: .struct)
    }
}
