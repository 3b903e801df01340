public import Foundation

// The ready ones.
extension ResponseMapper where Value: Decodable {
    /// Decodes the body. An empty one is an `empty-body` error; ``ResponseMapper/optional`` makes `nil` of it.
    ///
    /// - Parameters:
    ///   - type: What the body is read as.
    ///   - decoder: What decodes it; the decoder of the request or the network unless told otherwise.
    public static func model(_ type: Value.Type = Value.self, decoder: (any BodyDecoder)? = nil) -> ResponseMapper {
        ResponseMapper { body, response in
            guard !body.isEmpty else { throw NetworkError(.emptyBody) }
            return try response.decode(type, from: body, with: decoder)
        }
    }
}

extension ResponseMapper where Value == [String: JSONValue] {
    /// Reads a JSON object, whatever decoder the request and the network have. An empty body is an `empty-body` error.
    public static var dictionary: ResponseMapper { .model(decoder: JSONBodyDecoder()) }
}

extension ResponseMapper where Value == [[String: JSONValue]] {
    /// Reads a JSON list of objects, whatever decoder the request and the network have. An empty body is an `empty-body` error.
    public static var dictionaries: ResponseMapper { .model(decoder: JSONBodyDecoder()) }
}

extension ResponseMapper where Value == Data {
    /// Takes the body as it is. An empty one is empty data.
    public static var data: ResponseMapper { ResponseMapper { body, _ in body } }
}

extension ResponseMapper where Value == String {
    /// Takes the body as text, in the charset that a response of type `String` would be read in. An empty one is an empty
    /// string.
    public static var text: ResponseMapper { ResponseMapper { body, response in try response.text(body) } }
}
