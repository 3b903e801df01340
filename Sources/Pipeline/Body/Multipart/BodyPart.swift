/// One part of a `multipart/mixed` or `multipart/related` body: a head and what it describes (RFC 2046, section 5.1).
public struct BodyPart: Sendable {
    /// The fields of the part's head, such as `Content-ID`. The `Content-Type` of the body is added if there is none.
    public var headers: HTTPHeaders

    /// The content.
    public var body: RequestBody

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - body: The content: any body, another multipart too. A value is encoded at build, with the encoder of the request
    ///     or the network.
    ///   - headers: The fields of the part's head. What could not stand in the head of a request is refused when the request
    ///     is built.
    public init(_ body: RequestBody, headers: HTTPHeaders = [:]) {
        self.headers = headers
        self.body = body
    }

    /// The media type, from the head or else the body.
    var contentType: String? { headers[.contentType] ?? body.contentType }

    /// The fields of the head, with the media type of the body.
    var fields: HTTPHeaders {
        guard !headers.contains(.contentType), let type = body.contentType else { return headers }
        var fields = headers
        fields[.contentType] = type
        return fields
    }

    /// The head, with the empty line that ends it.
    var head: String { fields.map { "\($0.name.spelling): \($0.value)\r\n" }.joined() + "\r\n" }
}
