public import Foundation

/// Decodes a body by its media type.
///
///     configuration.decoder = ContentTypeDecoder.standard
///     configuration.decoder = ["application/json": JSONBodyDecoder(), "application/cbor": CBORDecoder()] as ContentTypeDecoder
///
/// The first entry that matches the `Content-Type` of the response decodes. An entry is a media type (`application/json`), a
/// range of them (`text/*`, `*/*`), or a suffix (`+json`), in any letter case. A body without a type goes to the first entry.
///
/// A body that no entry matches is not decoded but an `unacceptable-content-type` error that says what came. So is a problem
/// document (RFC 9457), unless there is an entry for just that type: whatever was asked for, it is none.
public struct ContentTypeDecoder: BodyDecoder, ExpressibleByDictionaryLiteral {
    private let entries: [(type: String, decoder: any BodyDecoder)]

    /// Creates a decoder from media types and what decodes them, in the order in which they are tried.
    ///
    /// - Precondition: There is at least one entry.
    public init(dictionaryLiteral elements: (String, any BodyDecoder)...) {
        precondition(!elements.isEmpty, "a decoder by content type needs an entry")
        entries = elements.map { ($0.0.lowercased(), $0.1) }
    }

    /// Decodes JSON and property lists.
    public static let standard: ContentTypeDecoder = [
        "application/json": JSONBodyDecoder(), "text/json": JSONBodyDecoder(), "+json": JSONBodyDecoder(),
        "application/x-plist": PropertyListBodyDecoder(),
        "application/x-apple-binary-plist": PropertyListBodyDecoder(),
    ]

    /// Decodes with the first entry: there is no type to go by.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try entries[0].decoder.decode(type, from: data)
    }

    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        of response: NetworkResponse
    ) throws -> Value {
        guard let mediaType = response.mimeType else { return try decode(type, from: data) }
        guard let entry = entries.first(where: { Self.matches(mediaType, $0.type) }) else {
            let known = entries.map(\.type).joined(separator: ", ")
            let kind = response.foreignContent(data).map { "\($0), " } ?? ""
            throw NetworkError(
                .unacceptableContentType,
                "the body is \(kind)\(mediaType.prefix(Self.shown)), and there are decoders for \(known); it begins "
                    + "\(BodyExcerpt(data))"
            )
        }
        return try entry.decoder.decode(type, from: data, of: response)
    }

    private static func matches(_ mediaType: String, _ entry: String) -> Bool {
        if mediaType == entry { return true }
        if mediaType.hasPrefix("application/problem+") { return false }
        if entry == "*/*" { return true }
        return entry.hasSuffix("/*")
            ? mediaType.hasPrefix(entry.dropLast()) : entry.hasPrefix("+") && mediaType.hasSuffix(entry)
    }

    /// How much of a type is shown.
    private static let shown = 100
}

extension NetworkResponse {
    /// What came where a value was expected, if it is one of the two things that often do.
    func foreignContent(_ body: Data) -> String? {
        switch mimeType {
        case "application/problem+json", "application/problem+xml": return "a problem document"
        case "text/html", "application/xhtml+xml": return "an HTML page"
        default:
            let start = String(decoding: body.prefix(64), as: UTF8.self).drop(while: \.isWhitespace).lowercased()
            return start.hasPrefix("<!doctype html") || start.hasPrefix("<html") ? "an HTML page" : nil
        }
    }
}
