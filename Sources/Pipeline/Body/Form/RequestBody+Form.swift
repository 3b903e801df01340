import Foundation

extension RequestBody {
    /// A form of names and values in their order, `application/x-www-form-urlencoded` (URL Standard, section 5).
    ///
    ///     let body = RequestBody.form(["name": name, "page": 2, "tag": ["a", "b"]])
    ///
    /// - Parameter fields: The names and values; see ``Query`` for how they are encoded, and for lists of other styles.
    public static func form(_ fields: Query) -> RequestBody {
        .bytes(Data(fields.encoded.utf8), contentType: FormEncoder().contentType)
    }

    /// A form of a value, which is encoded at build.
    ///
    /// - Parameters:
    ///   - value: The value. One that has no field names is an `encoding-failed` error; see ``FormEncoder``.
    ///   - encoder: How lists, truth values and dates are written.
    public static func form(
        encoding value: some Encodable & Sendable,
        with encoder: FormEncoder = FormEncoder()
    ) -> RequestBody {
        .value(value, encoder: encoder)
    }

    /// A form of names in their order, and of values that may be nested and mixed.
    ///
    ///     let body = RequestBody.form(nested: ["user": ["name": .string(name), "age": 30], "tags": ["a", "b"]])
    ///
    /// - Parameters:
    ///   - fields: The names and values; a name may come more than once. What is nested is sorted by name.
    ///   - encoder: How lists and truth values are written. It is asked at build; what it cannot write is an
    ///     `encoding-failed` error.
    public static func form(
        nested fields: KeyValuePairs<String, JSONValue>,
        with encoder: FormEncoder = FormEncoder()
    ) -> RequestBody {
        .value(OrderedFields(fields: fields), encoder: encoder)
    }
}

extension Query {
    /// Creates a query of the fields of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: How lists, truth values and dates are written.
    /// - Throws: `EncodingError` for a value that has no field names or that the encoder's styles cannot write; see
    ///   ``FormEncoder``. And what the value throws.
    public init(encoding value: some Encodable, with encoder: FormEncoder = FormEncoder()) throws {
        self = try encoder.query(for: value)
    }

    /// Creates a query of names in their order, and of values that may be nested and mixed.
    ///
    /// - Throws: `EncodingError` for what the encoder's styles cannot write; see ``FormEncoder``.
    public init(
        nested fields: KeyValuePairs<String, JSONValue>,
        with encoder: FormEncoder = FormEncoder()
    ) throws {
        self = try encoder.query(for: OrderedFields(fields: fields))
    }
}

/// Fields that encode in the order in which they were written.
private struct OrderedFields: Encodable, Sendable {
    let fields: KeyValuePairs<String, JSONValue>

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FormKey.self)
        for (name, value) in fields { try container.encode(value, forKey: FormKey(name)) }
    }
}
