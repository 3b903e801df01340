public import Foundation

/// JSON without a type of its own: for a body that is written on the spot, and for an answer whose shape nobody knows.
///
///     let body = RequestBody.json(["id": 1, "on": true, "tags": ["a", "b"], "name": .string(name)])
///
/// Literals may be mixed and nested as JSON may (RFC 8259); what is a variable goes into its case. The members of an object
/// have no order, and are written sorted by name, so that the same value always makes the same bytes.
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction.
    case int(Int)
    /// Any other number. One that is not finite cannot be encoded.
    case double(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name.
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a number without fraction.
    public init(integerLiteral value: Int) { self = .int(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object. Of a name given twice, the later counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension JSONValue: Codable {
    /// Reads any JSON. A number without fraction that an `Int` can hold is ``int(_:)``, any other ``double(_:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension RequestBody {
    /// JSON that is written on the spot.
    ///
    ///     let body = RequestBody.json(["id": 1, "on": true])
    ///
    /// Text that is JSON already goes into ``json(text:)``: here it would be a JSON string.
    public static func json(_ value: JSONValue) -> RequestBody {
        .value(value, encoder: JSONBodyEncoder { $0.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] })
    }

    /// Text that is JSON already. It is sent as it is, as `application/json`.
    public static func json(text: String) -> RequestBody { .text(text, contentType: "application/json") }

    /// A property list.
    ///
    /// - Parameters:
    ///   - value: The value; a list or a set of named values, since a property list has no other root.
    ///   - format: XML unless told otherwise.
    public static func propertyList(
        _ value: some Encodable & Sendable,
        format: PropertyListSerialization.PropertyListFormat = .xml
    ) -> RequestBody {
        .value(value, encoder: PropertyListBodyEncoder(format: format))
    }
}
