public import Foundation

/// Turns values into names and values, for forms (`application/x-www-form-urlencoded`) and for queries.
///
///     struct Filter: Encodable, Sendable { var text: String; var tags: [String] }
///
///     let filter = Filter(text: "1 + 1", tags: ["a", "b"])
///     let query = try Query(encoding: filter)                                     // text=1%20%2B%201&tags=a&tags=b
///     let body = RequestBody.form(encoding: filter, with: FormEncoder(arrays: .brackets))
///
/// Fields keep the order in which the value encodes them; a dictionary has none and is sorted by name. What is `nil` is left
/// out, and so is an empty list. Names and values are percent-encoded by the rule of ``Query``, which reads the same to a
/// server that takes `+` for a space and to one that does not. `Data` becomes Base64, a URL and a `Decimal` their text.
public struct FormEncoder: BodyEncoder {
    /// How the values of a list are named.
    public enum ArrayStyle: Sendable, Hashable {
        /// `tag=a&tag=b`
        case repeated
        /// `tag[]=a&tag[]=b`, with the brackets encoded
        case brackets
        /// `tag[0]=a&tag[1]=b`, with the brackets encoded. The one style whose lists can hold lists and nested values.
        case indices
        /// `tag=a,b`, with the commas as they are and those inside a value encoded
        case commas
    }

    /// How the fields of a value within a value are named.
    public enum NestingStyle: Sendable, Hashable {
        /// `user[name]=a`, with the brackets encoded
        case brackets
        /// `user.name=a`
        case dots
    }

    /// How truth values are written.
    public enum BooleanStyle: Sendable, Hashable {
        /// `true` and `false`
        case text
        /// `1` and `0`
        case digits
    }

    /// How dates are written.
    public enum DateStyle: Sendable {
        /// `2026-01-31T12:00:00Z`, without fractions of a second
        case iso8601
        /// Seconds since 1970, with a fraction only if there is one
        case secondsSince1970
        /// Milliseconds since 1970, rounded
        case millisecondsSince1970
        /// What the closure makes of it
        case custom(@Sendable (Date) -> String)
    }

    /// How the values of a list are named. ``ArrayStyle/repeated`` unless told otherwise.
    public var arrays: ArrayStyle

    /// How the fields of a value within a value are named. ``NestingStyle/brackets`` unless told otherwise.
    public var nesting: NestingStyle

    /// How truth values are written. ``BooleanStyle/text`` unless told otherwise.
    public var booleans: BooleanStyle

    /// How dates are written. ``DateStyle/iso8601`` unless told otherwise.
    public var dates: DateStyle

    /// Creates an encoder.
    public init(
        arrays: ArrayStyle = .repeated,
        nesting: NestingStyle = .brackets,
        booleans: BooleanStyle = .text,
        dates: DateStyle = .iso8601
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.booleans = booleans
        self.dates = dates
    }

    public var contentType: String { "application/x-www-form-urlencoded" }

    public func encode(_ value: some Encodable) throws -> Data {
        Data(try query(for: value).encoded.utf8)
    }

    /// The names and values of a value.
    ///
    /// - Throws: `EncodingError` for a value that has no names, such as a number or a list; for a number that is not finite;
    ///   for a list of lists or nested values unless ``arrays`` is ``ArrayStyle/indices``. And what the value throws.
    func query(for value: some Encodable) throws -> Query {
        let tree = FormTree()
        try FormTreeEncoder(tree: tree, dates: dates).write(value)
        var query = Query()
        switch tree.content {
        case .absent: break
        case .fields(let fields): for (name, field) in fields { try append(field, name, to: &query) }
        case .text, .boolean, .list:
            throw EncodingError.invalidValue(value, "a \(type(of: value)) has no field names, which a form needs")
        }
        return query
    }

    private func append(_ tree: FormTree, _ name: String, to query: inout Query) throws {
        switch tree.content {
        case .absent: break
        case .text, .boolean: query.append(name, text(of: tree))
        case .list(let items): try append(items, name, to: &query)
        case .fields(let fields):
            for (key, field) in fields {
                try append(field, nesting == .dots ? "\(name).\(key)" : "\(name)[\(key)]", to: &query)
            }
        }
    }

    private func append(_ items: [FormTree], _ name: String, to query: inout Query) throws {
        guard arrays != .indices else {
            for (index, item) in items.enumerated() { try append(item, "\(name)[\(index)]", to: &query) }
            return
        }
        let texts = try items.filter(\.isPresent).map { item in
            guard let text = text(of: item) else {
                throw EncodingError.invalidValue(
                    name,
                    "the list \"\(name)\" holds lists or nested values, which only the style .indices can tell apart"
                )
            }
            return text
        }
        query.append(name, texts, style: arrays.style)
    }

    private func text(of tree: FormTree) -> String? {
        switch tree.content {
        case .text(let text): text
        case .boolean(let value): booleans == .text ? String(value) : value ? "1" : "0"
        case .absent, .list, .fields: nil
        }
    }
}

extension FormEncoder.ArrayStyle {
    fileprivate var style: Query.ListStyle {
        switch self {
        case .repeated, .indices: .repeated
        case .brackets: .brackets
        case .commas: .commaSeparated
        }
    }
}

extension FormEncoder.DateStyle {
    func text(of date: Date) -> String {
        switch self {
        case .iso8601: date.ISO8601Format()
        case .secondsSince1970:
            Int(exactly: date.timeIntervalSince1970).map(String.init) ?? date.timeIntervalSince1970.description
        case .millisecondsSince1970: String(format: "%.0f", (date.timeIntervalSince1970 * 1000).rounded())
        case .custom(let write): write(date)
        }
    }
}

extension EncodingError {
    static func invalidValue(_ value: Any, _ reason: String, path: [any CodingKey] = []) -> EncodingError {
        .invalidValue(value, Context(codingPath: path, debugDescription: reason))
    }
}
