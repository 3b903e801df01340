/// A property of requests that has a type, a name and a default value.
///
///     enum RequiresAuthentication: CustomPropertyKey {
///         static let name = "requiresAuthentication"
///         static let defaultValue = true
///     }
///
///     extension NetworkRequest {
///         var requiresAuthentication: Bool { customProperties[RequiresAuthentication.self] }
///     }
///
/// In a module whose default isolation is the main actor, write `nonisolated enum` and `nonisolated extension`.
///
/// The same property can be given by name, as in `["requiresAuthentication": false]`. An action that reads the key lists
/// it in ``Action/customPropertyKeys``; then a value of the wrong type is an `invalid-request` error at build.
public protocol CustomPropertyKey: SendableMetatype {
    /// What the property holds.
    associatedtype Value: Sendable

    /// The name under which the property is stored.
    static var name: String { get }

    /// What the property is for a request that does not set it.
    static var defaultValue: Value { get }
}

/// Values that travel with a request for actions to read and write.
///
/// A value is reached by a typed key or by its name; both see the same storage.
public struct CustomProperties: Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: any Sendable] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection from names and values. Of a name given twice, the later counts.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        for (name, value) in elements { values[name] = value }
    }

    /// Whether no value is set.
    public var isEmpty: Bool { values.isEmpty }

    /// The names that are set, in no order.
    public var names: some Collection<String> { values.keys }

    /// The value under a name; `nil` removes it. Read it with `as?`.
    public subscript(name: String) -> (any Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The value of a typed key, or the key's default.
    ///
    /// - Precondition: The value under the key's name has the key's type. The engine makes sure of it for the keys that
    ///   actions list; for a key that nobody lists this is where the mistake shows.
    public subscript<Key: CustomPropertyKey>(key: Key.Type) -> Key.Value {
        get {
            guard let value = values[Key.name] else { return Key.defaultValue }
            guard let typed = value as? Key.Value else {
                preconditionFailure(Self.mismatch(key, value))
            }
            return typed
        }
        set { values[Key.name] = newValue }
    }

    /// These values and `others`, which win where both have a name.
    public func merging(_ others: CustomProperties) -> CustomProperties {
        guard !others.values.isEmpty else { return self }
        var merged = self
        merged.values.merge(others.values) { $1 }
        return merged
    }

    /// Refuses a value whose type is not that of `key`.
    func check<Key: CustomPropertyKey>(_ key: Key.Type) throws(NetworkError) {
        guard let value = values[Key.name], !(value is Key.Value) else { return }
        throw NetworkError(.invalidRequest, Self.mismatch(key, value), reach: .no)
    }

    private static func mismatch<Key: CustomPropertyKey>(_ key: Key.Type, _ value: any Sendable) -> String {
        "the custom property \"\(Key.name)\" holds a \(type(of: value)), but \(key) takes a \(Key.Value.self)"
    }
}
