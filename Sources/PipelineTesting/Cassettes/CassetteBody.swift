public import Foundation
public import Pipeline

/// A body as it stands on a ``Cassette``: as JSON or text where people can read it.
public enum CassetteBody: Sendable, Hashable {
    /// No body.
    case empty
    /// JSON. It is replayed as JSON that says the same, not byte by byte.
    case json(JSONValue)
    /// Text, as UTF-8.
    case text(String)
    /// Any other bytes; in the file as Base64.
    case bytes(Data)
    /// A body that was not kept: one that was too large, was made while it was sent, or is coded or multipart, where secrets
    /// cannot be found. The number of its bytes, if it is known.
    case omitted(size: Int?)

    /// The bytes to replay; `nil` if they were not kept.
    var data: Data? {
        switch self {
        case .empty: Data()
        case .json(let value): try? Self.encoder.encode(value)
        case .text(let text): Data(text.utf8)
        case .bytes(let data): data
        case .omitted: nil
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension CassetteBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case json, text, base64, omitted, size
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.json) {
            self = .json(try container.decode(JSONValue.self, forKey: .json))
        } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else if let data = try container.decodeIfPresent(Data.self, forKey: .base64) {
            self = .bytes(data)
        } else if try container.decodeIfPresent(Bool.self, forKey: .omitted) == true {
            self = .omitted(size: try container.decodeIfPresent(Int.self, forKey: .size))
        } else {
            self = .empty
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .empty: break
        case .json(let value): try container.encode(value, forKey: .json)
        case .text(let text): try container.encode(text, forKey: .text)
        case .bytes(let data): try container.encode(data, forKey: .base64)
        case .omitted(let size):
            try container.encode(true, forKey: .omitted)
            try container.encodeIfPresent(size, forKey: .size)
        }
    }
}
