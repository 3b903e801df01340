public import Foundation

extension NetworkError {
    /// The status of the response, if one arrived.
    public var statusCode: Int? { response?.status.code }

    /// The media type of the response's body, lower-case and without parameters (RFC 9110, section 8.3).
    public var mimeType: String? { response?.mimeType }

    /// The whole body of the response, if one arrived and it is in memory.
    public var payloadData: Data? { response?.body.data }

    /// Reads the body of the response as a value.
    ///
    /// - Parameters:
    ///   - type: The type to read.
    ///   - decoder: How. JSON with the defaults of `JSONDecoder` unless told otherwise.
    /// - Returns: The value, or `nil` if no response arrived or its body is empty.
    /// - Throws: What `decoder` throws.
    public func payload<Payload: Decodable>(
        as type: Payload.Type,
        decoder: any BodyDecoder = JSONBodyDecoder()
    ) throws -> Payload? {
        guard let payloadData, !payloadData.isEmpty else { return nil }
        return try decoder.decode(type, from: payloadData)
    }

    /// What the server says went wrong, in words meant for people.
    ///
    /// It is the `detail` or `title` of a problem document (RFC 9457), or one of the fields that servers commonly use:
    /// `message`, `error_description`, `error` (a text, or an object with a message), the first of `errors`. `nil` if
    /// the body has none of them. The text comes from outside: show it, do not decide on it.
    public var serverMessage: String? {
        guard let payloadData, payloadData.count <= Self.largestMessageBody,
            let body = try? JSONSerialization.jsonObject(with: payloadData)
        else { return nil }
        return Self.message(in: body)
    }

    /// A body above this is not an error message.
    private static let largestMessageBody = 1 << 20

    private static func message(in body: Any) -> String? {
        if let text = body as? String { return text.isEmpty ? nil : text }
        if let list = body as? [Any] { return list.first.flatMap(message) }
        guard let fields = body as? [String: Any] else { return nil }
        for name in ["detail", "message", "error_description", "title", "error", "errors"] {
            if let found = fields[name].flatMap(message) { return found }
        }
        return nil
    }
}
