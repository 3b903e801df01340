public import Foundation
public import Pipeline

/// What a stub answers: status, header fields and body, before it is known to which request.
///
///     .json(["id": 1, "title": "Milk"])
///     .status(404)
///     .text("too many", status: 429, headers: ["Retry-After": 2])
public struct StubResponse: Sendable {
    private enum Content: Sendable {
        case bytes(Data)
        case value(any Encodable & Sendable, any BodyEncoder)
        case chunks([Data])
        case file(URL)
    }

    /// The status.
    public var status: HTTPStatus

    /// The header fields. Those that come with the body stand behind the ones that were given.
    public var headers: HTTPHeaders

    private let content: Content

    private init(_ status: HTTPStatus, _ headers: HTTPHeaders, type: String? = nil, _ content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
        if let type, !headers.contains(.contentType) { self.headers[.contentType] = type }
    }

    /// A response without a body.
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> StubResponse {
        StubResponse(status, headers, .bytes(Data()))
    }

    /// A response with JSON, from literals. A variable goes into its case: `["title": .string(title)]`.
    public static func json(_ value: JSONValue, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        encoding(value, status: status, headers: headers, with: JSONBodyEncoder { $0.outputFormatting = .sortedKeys })
    }

    /// A response with text that is JSON already.
    public static func json(text: String, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .data(Data(text.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// A response with a value, encoded as JSON unless told otherwise. A value that cannot be encoded fails the attempt.
    public static func encoding(
        _ value: some Encodable & Sendable,
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:],
        with encoder: any BodyEncoder = JSONBodyEncoder()
    ) -> StubResponse {
        StubResponse(status, headers, type: encoder.contentType, .value(value, encoder))
    }

    /// A response with text, as UTF-8.
    public static func text(_ text: String, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// A response with bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: Their media type; the response names none unless told otherwise.
    ///   - status: The status, 200 unless told otherwise.
    ///   - headers: The header fields.
    public static func data(
        _ data: Data,
        contentType: String? = nil,
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> StubResponse {
        StubResponse(status, headers, type: contentType, .bytes(data))
    }

    /// A response whose body is a stream of these chunks; empty ones are left out.
    public static func chunks(_ chunks: [Data], status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> StubResponse {
        StubResponse(status, headers, .chunks(chunks))
    }

    /// A response with the contents of a file, a fixture for one. A file that cannot be read fails the attempt.
    public static func file(
        _ url: URL,
        contentType: String? = nil,
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> StubResponse {
        StubResponse(status, headers, type: contentType, .file(url))
    }

    /// The response to a request.
    ///
    /// - Throws: ``/Pipeline/NetworkError`` `file-failed`, or what the encoder throws.
    public func response(to request: NetworkRequest) throws -> NetworkResponse {
        NetworkResponse(status: status, headers: headers, body: try makeBody(), request: request)
    }

    private func makeBody() throws -> ResponseBody {
        switch content {
        case .bytes(let data): return .bytes(data)
        case .value(let value, let encoder): return .bytes(try encoder.encode(value))
        case .chunks(let chunks): return .stream(BodyStream(chunks))
        case .file(let url):
            do { return .bytes(try Data(contentsOf: url)) } catch {
                let text = "\(url.lastPathComponent), the body of a stub, cannot be read"
                throw NetworkError(.fileFailed, text, underlying: error)
            }
        }
    }
}

extension BodyStream {
    /// A stream of chunks that are there already.
    ///
    /// - Parameter error: What breaks it off behind them, if it is not whole.
    convenience init(_ chunks: [Data], throwing error: NetworkError? = nil) {
        let pipe = BodyPipe()
        for chunk in chunks { pipe.write(chunk) }
        pipe.finish(throwing: error)
        self.init(pipe)
    }
}
