public import Foundation

extension Request where Response: Decodable {
    /// Decodes the body with the decoder of the request or the network.
    ///
    /// - Throws: ``NetworkError`` `empty-body` if there is none, `decoding-failed` if it is not the value.
    public func response(from response: NetworkResponse) async throws -> Response {
        guard let body = try await response.bodyToDecode() else { throw NetworkError(.emptyBody) }
        return try response.decode(Response.self, from: body)
    }
}

extension Request where Response: Decodable & ExpressibleByNilLiteral {
    /// Decodes the body with the decoder of the request or the network; an empty body gives `nil`.
    ///
    /// - Throws: ``NetworkError`` `decoding-failed` if there is a body and it is not the value.
    public func response(from response: NetworkResponse) async throws -> Response {
        guard let body = try await response.bodyToDecode() else { return nil }
        return try response.decode(Response.self, from: body)
    }
}

extension Request where Response == Data {
    /// Takes the body as it is. An empty one is empty data.
    public func response(from response: NetworkResponse) async throws -> Data {
        try await response.bodyToDecode() ?? Data()
    }
}

extension Request where Response == Data? {
    /// Takes the body as it is. An empty one is `nil`.
    public func response(from response: NetworkResponse) async throws -> Data? {
        try await response.bodyToDecode()
    }
}

extension Request where Response == String {
    /// Takes the body as text. An empty one is an empty string.
    ///
    /// Its charset is the one that a byte order mark at its beginning shows, else the one that `Content-Type` names, else UTF-8.
    /// One that is not known is read as UTF-8 too: most texts are.
    ///
    /// - Throws: ``NetworkError`` `decoding-failed` if the body is not text in that charset.
    public func response(from response: NetworkResponse) async throws -> String {
        try await response.bodyToDecode().map(response.text) ?? ""
    }
}

extension Request where Response == String? {
    /// Takes the body as text, in the charset that a `String` would be read in. An empty one is `nil`.
    ///
    /// - Throws: ``NetworkError`` `decoding-failed` if the body is not text in its charset.
    public func response(from response: NetworkResponse) async throws -> String? {
        try await response.bodyToDecode().map(response.text)
    }
}

extension Request where Response == Void {
    /// Ignores the body.
    public func response(from response: NetworkResponse) async throws {}
}

extension Request where Response == NetworkResponse {
    /// Hands the response over as it is.
    public func response(from response: NetworkResponse) async throws -> NetworkResponse { response }
}

extension NetworkResponse {
    /// The body if there is something in it to decode, `nil` if not.
    ///
    /// Responses to HEAD and those with status 204, 205 and 304 have no content, whatever they carry (RFC 9110, sections
    /// 9.3.2 and 15).
    func bodyToDecode() async throws(NetworkError) -> Data? {
        guard request.method != .head, !status.forbidsBody else { return nil }
        let data = if let bytes = body.data { bytes } else { try await body.collect() }
        return data.isEmpty ? nil : data
    }

    /// - Parameter own: What decodes it, if not the decoder of the request or the network.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        with own: (any BodyDecoder)? = nil
    ) throws -> Value {
        let decoder = own ?? request.decoder ?? JSONBodyDecoder()
        do {
            return try decoder.decode(type, from: data, of: self)
        } catch let error as NetworkError {
            throw error
        } catch {
            let body = foreignContent(data).map { "the body, \($0)," } ?? "the body"
            throw NetworkError(undecodable: data, at: body, as: type, cause: error)
        }
    }

    func text(_ data: Data) throws(NetworkError) -> String {
        guard let text = TextCharset.text(of: data, in: textEncoding ?? .utf8) else {
            let name = textEncoding == nil && charset != nil ? "\(charset ?? ""), read as utf-8" : charset ?? "utf-8"
            throw NetworkError(.decodingFailed, "the body is not text in \(name)")
        }
        return text
    }
}
