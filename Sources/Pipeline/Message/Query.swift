public import Foundation

/// The items of a query, in their order, as plain text.
///
///     let query: Query = ["q": "1 + 1", "page": 2, "tag": ["a", "b"], "sort": nil]
///     url.appending(query: query)     // …?q=1%20%2B%201&page=2&tag=a&tag=b
///
/// There is one rule: each name and each value is percent-encoded once, and only the unreserved characters of RFC 3986,
/// section 2.3, stay as they are. A space becomes `%20` and a plus `%2B`, so a server that takes `+` for a space reads the
/// same as one that does not. The equals sign and the ampersand between items, and the commas of
/// ``ListStyle/commaSeparated``, are signs of the query and stay bare. What is already encoded must not be put in: it would be
/// encoded again.
public struct Query: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// How several values under one name are written.
    public enum ListStyle: Sendable, Hashable {
        /// `tag=a&tag=b`
        case repeated
        /// `tag[]=a&tag[]=b`, with the brackets encoded
        case brackets
        /// `tag=a,b`, with the commas as they are and those inside a value encoded
        case commaSeparated
    }

    private struct Item: Sendable, Hashable {
        var name: String
        /// Already encoded; `nil` for a name without a value.
        var value: String?
    }

    private var items: [Item] = []

    /// Creates an empty query.
    public init() {}

    /// Creates a query from names and values, in the order they are written; a name may come more than once.
    ///
    /// An item whose value is `nil` is left out; a list gives an item for each value. For other styles of lists use
    /// ``append(_:_:style:)``.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// Creates a query of one name without a value and without an equals sign: `?debug`.
    public static func flag(_ name: String) -> Query {
        var query = Query()
        query.appendFlag(name)
        return query
    }

    /// Adds an item at the end, whatever is there already; none if the value is `nil` or an empty list.
    ///
    /// - Parameters:
    ///   - name: The name, as plain text.
    ///   - value: The value; a list gives an item for each of its values.
    ///   - style: How a list is written; an item for each value unless told otherwise.
    public mutating func append(_ name: String, _ value: (any QueryValue)?, style: ListStyle = .repeated) {
        guard let value else { return }
        let texts = value.queryTexts
        // To ask a value whether it is a list takes longer than all the rest, and most need not be asked.
        switch style {
        case .commaSeparated where value is any QueryList:
            guard !texts.isEmpty else { return }
            let list = texts.map { $0.percentEncoded() }.joined(separator: ",")
            items.append(Item(name: name.percentEncoded(), value: list))
        case .brackets where value is any QueryList:
            append("\(name)[]", texts)
        default:
            append(name, texts)
        }
    }

    private mutating func append(_ name: String, _ texts: [String]) {
        let name = name.percentEncoded()
        for text in texts { items.append(Item(name: name, value: text.percentEncoded())) }
    }

    /// Adds a name without a value and without an equals sign at the end: `?debug`.
    ///
    /// - Parameter name: The name, as plain text.
    public mutating func appendFlag(_ name: String) {
        items.append(Item(name: name.percentEncoded()))
    }

    /// Adds the items of another query at the end, in their order.
    public mutating func append(contentsOf other: Query) {
        items += other.items
    }

    /// Whether there is no item.
    public var isEmpty: Bool { items.isEmpty }

    /// The query as it stands in a URL, without the question mark; empty if there is no item.
    public var encoded: String {
        items.map { item in item.value.map { "\(item.name)=\($0)" } ?? item.name }.joined(separator: "&")
    }
}

/// What can be the value of an item of a ``Query``: text, numbers, truth values, identifiers, and lists of them.
///
/// An enumeration whose raw value is one of these only needs to say so:
///
///     enum Order: String, QueryValue { case rising, falling }
public protocol QueryValue: Sendable {
    /// The value as plain text, not encoded; a list has several.
    var queryTexts: [String] { get }
}

/// Tells lists, whose style can be chosen, from single values.
private protocol QueryList {}

extension String: QueryValue {
    public var queryTexts: [String] { [self] }
}

extension Substring: QueryValue {
    public var queryTexts: [String] { [String(self)] }
}

extension Bool: QueryValue {
    /// `true` or `false`.
    public var queryTexts: [String] { [self ? "true" : "false"] }
}

extension Int: QueryValue {
    public var queryTexts: [String] { [String(self)] }
}

extension Int64: QueryValue {
    public var queryTexts: [String] { [String(self)] }
}

extension UInt: QueryValue {
    public var queryTexts: [String] { [String(self)] }
}

extension Int32: QueryValue {
    public var queryTexts: [String] { [String(self)] }
}

extension UInt64: QueryValue {
    public var queryTexts: [String] { [String(self)] }
}

extension Float: QueryValue {
    /// The shortest text that reads back as the same number.
    public var queryTexts: [String] { [description] }
}

extension Double: QueryValue {
    /// The shortest text that reads back as the same number: `0.1`, `5.0`, `1e+16`.
    public var queryTexts: [String] { [description] }
}

extension UUID: QueryValue {
    /// The identifier in upper case.
    public var queryTexts: [String] { [uuidString] }
}

// Enumerations.
extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    public var queryTexts: [String] { rawValue.queryTexts }
}

extension Array: QueryValue where Element: QueryValue {
    public var queryTexts: [String] { flatMap(\.queryTexts) }
}

extension Array: QueryList where Element: QueryValue {}
