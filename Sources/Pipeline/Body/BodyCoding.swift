public import Foundation

/// Turns values into request bodies.
///
/// Set one for a network (``NetworkConfiguration/encoder``) or for a request (``NetworkRequest/encoder``). JSON and property
/// lists are built in. To write your own, name the media type and return the bytes; what you throw ends up underneath an
/// `encoding-failed` error.
public protocol BodyEncoder: Sendable {
    /// The value of the `Content-Type` field for what this encoder makes.
    var contentType: String { get }

    /// Encodes a value.
    func encode(_ value: some Encodable) throws -> Data
}

/// Reads values out of response bodies.
///
/// Set one for a network (``NetworkConfiguration/decoder``) or for a request (``NetworkRequest/decoder``). It is called off
/// the main thread and is never given an empty body.
public protocol BodyDecoder: Sendable {
    /// Decodes a value.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value

    /// Decodes a value out of the body of a response.
    ///
    /// The engine calls this one. Decoders that go by the head implement it, as ``ContentTypeDecoder`` does; for all others it
    /// calls ``decode(_:from:)``.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, of response: NetworkResponse) throws -> Value
}

extension BodyDecoder {
    /// Decodes without regard to the head.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        of response: NetworkResponse
    ) throws -> Value {
        try decode(type, from: data)
    }
}

/// Encodes with `JSONEncoder`.
public struct JSONBodyEncoder: BodyEncoder {
    private let configure: (@Sendable (JSONEncoder) -> Void)?

    /// Creates an encoder.
    ///
    /// - Parameter configure: Sets up the `JSONEncoder`, which is made afresh for each body, so that nobody shares one.
    public init(configure: (@Sendable (JSONEncoder) -> Void)? = nil) {
        self.configure = configure
    }

    public var contentType: String { "application/json" }

    public func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        configure?(encoder)
        return try encoder.encode(value)
    }
}

/// Decodes with `JSONDecoder`. A byte order mark before the text is passed over (RFC 8259, section 8.1).
public struct JSONBodyDecoder: BodyDecoder {
    private let configure: (@Sendable (JSONDecoder) -> Void)?

    /// Creates a decoder.
    ///
    /// - Parameter configure: Sets up the `JSONDecoder`, which is made afresh for each body, so that nobody shares one.
    public init(configure: (@Sendable (JSONDecoder) -> Void)? = nil) {
        self.configure = configure
    }

    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        configure?(decoder)
        // Most bodies have none, and the first byte tells.
        let hasMark = data.first == TextCharset.utf8Mark[0] && data.starts(with: TextCharset.utf8Mark)
        return try decoder.decode(type, from: hasMark ? data.dropFirst(TextCharset.utf8Mark.count) : data)
    }
}

/// Encodes property lists.
public struct PropertyListBodyEncoder: BodyEncoder {
    private let format: PropertyListSerialization.PropertyListFormat

    /// Creates an encoder.
    ///
    /// - Parameter format: XML unless told otherwise.
    public init(format: PropertyListSerialization.PropertyListFormat = .xml) {
        self.format = format
    }

    public var contentType: String {
        format == .binary ? "application/x-apple-binary-plist" : "application/x-plist"
    }

    public func encode(_ value: some Encodable) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return try encoder.encode(value)
    }
}

/// Decodes property lists of any format.
public struct PropertyListBodyDecoder: BodyDecoder {
    /// Creates a decoder.
    public init() {}

    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try PropertyListDecoder().decode(type, from: data)
    }
}
