public import Foundation

/// What an ``Endpoint`` carries, in its query or its body.
///
/// Values may be `Encodable` or written on the spot: a ``Query`` for queries and forms, a ``JSONValue`` for JSON and
/// parameters.
///
///     case .find(let text): .query(["q": text, "page": 2])
///     case .add(let draft): .json(draft)
///     case .rename(let name): .json(["name": .string(name), "notify": true])
///     case .logIn(let user, let password): .form(["username": user, "password": password])
///     case .picture(let file): .multipart([.file("picture", at: file, contentType: "image/png")])
public struct EndpointData: Sendable {
    private let change: @Sendable (inout NetworkRequest) throws -> Void

    private init(_ change: @escaping @Sendable (inout NetworkRequest) throws -> Void) { self.change = change }

    func put(into request: inout NetworkRequest) throws { try change(&request) }

    /// Nothing.
    public static let plain = EndpointData { _ in }

    // MARK: In the query

    /// Items of the query.
    public static func query(_ items: Query) -> EndpointData {
        EndpointData { $0.url = $0.url.appending(query: items) }
    }

    /// The fields of a value as items of the query.
    ///
    /// - Parameters:
    ///   - value: The value. One that has no field names is an `invalid-request` error; see ``FormEncoder``.
    ///   - encoder: How lists, truth values and dates are written.
    public static func query(
        encoding value: some Encodable & Sendable,
        with encoder: FormEncoder = FormEncoder()
    ) -> EndpointData {
        EndpointData { $0.url = $0.url.appending(query: try Query(encoding: value, with: encoder)) }
    }

    /// A query that is encoded already. It is appended as it stands, behind what the URL has.
    ///
    /// - Parameter text: The query without a question mark. One that holds a character that no query may (RFC 3986, section
    ///   3.4) is an `invalid-request` error.
    public static func queryString(_ text: String) -> EndpointData {
        EndpointData { $0.url = try $0.url.appending(encodedQuery: text) }
    }

    // MARK: In the body

    /// Any body: a file, a stream, text, a value with an encoder of its own.
    public static func body(_ body: RequestBody) -> EndpointData { EndpointData { $0.body = body } }

    /// Bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The media type, `application/octet-stream` unless told otherwise.
    public static func bytes(_ data: Data, contentType: String = "application/octet-stream") -> EndpointData {
        body(.bytes(data, contentType: contentType))
    }

    /// A value as the encoder of the endpoint or the network writes it, JSON unless told otherwise.
    public static func encoded(_ value: some Encodable & Sendable) -> EndpointData { body(.value(value)) }

    /// A value as JSON, whatever the encoder of the network is.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: How it is written.
    public static func json(
        _ value: some Encodable & Sendable,
        with encoder: JSONBodyEncoder = JSONBodyEncoder()
    ) -> EndpointData {
        body(.value(value, encoder: encoder))
    }

    /// JSON that is written on the spot.
    public static func json(_ value: JSONValue) -> EndpointData { body(.json(value)) }

    /// A form of names and values in their order, `application/x-www-form-urlencoded`.
    public static func form(_ fields: Query) -> EndpointData { body(.form(fields)) }

    /// A form of a value, `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - value: The value. One that has no field names is an `encoding-failed` error; see ``FormEncoder``.
    ///   - encoder: How lists, truth values and dates are written.
    public static func form(
        encoding value: some Encodable & Sendable,
        with encoder: FormEncoder = FormEncoder()
    ) -> EndpointData {
        body(.form(encoding: value, with: encoder))
    }

    /// A form with files, `multipart/form-data`.
    public static func multipart(_ parts: [FormPart]) -> EndpointData { body(.multipart(parts)) }

    // MARK: Where the method has it

    /// The fields of a value where the method has its parameters: in the query of GET, HEAD and DELETE, as JSON in the body
    /// of any other, whatever the encoder of the network is.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: How lists, truth values and dates are written in a query.
    public static func parameters(
        _ value: some Encodable & Sendable,
        with encoder: FormEncoder = FormEncoder()
    ) -> EndpointData {
        EndpointData { request in
            switch request.method {
            case .get, .head, .delete: try query(encoding: value, with: encoder).put(into: &request)
            default: try json(value).put(into: &request)
            }
        }
    }

    /// Parameters that are written on the spot, where the method has them: in the query of GET, HEAD and DELETE, as JSON in
    /// the body of any other. In a query they are sorted by name.
    public static func parameters(_ value: JSONValue, with encoder: FormEncoder = FormEncoder()) -> EndpointData {
        EndpointData { request in
            switch request.method {
            case .get, .head, .delete: try query(encoding: value, with: encoder).put(into: &request)
            default: try json(value).put(into: &request)
            }
        }
    }
}
