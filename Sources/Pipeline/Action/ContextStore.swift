/// A value that an action remembers during a send.
///
///     private enum HasReplayed: ContextKey {
///         static let defaultValue = false
///     }
///
///     guard !request.context.store.exchange(HasReplayed.self, for: true) else { … }
public protocol ContextKey: SendableMetatype {
    /// What is remembered.
    associatedtype Value: Sendable

    /// What is remembered before anything was stored.
    static var defaultValue: Value { get }
}

/// What actions remember during one send, by typed keys, behind one lock.
public final class ContextStore: Sendable {
    private let values = Locked<[ObjectIdentifier: any Sendable]>([:])
    private let keepsValues: Bool

    /// - Parameter keepsValues: `false` for the store of no send, which would be shared by strangers.
    init(keepsValues: Bool) {
        self.keepsValues = keepsValues
    }

    /// The value of a key, or its default.
    public subscript<Key: ContextKey>(key: Key.Type) -> Key.Value {
        get { values.withLock { Self.value(key, in: $0) } }
        set { _ = exchange(key, for: newValue) }
    }

    /// Stores a value and returns the one it replaces, in one step: of many callers one sees the old value.
    public func exchange<Key: ContextKey>(_ key: Key.Type, for value: Key.Value) -> Key.Value {
        values.withLock { values in
            let old = Self.value(key, in: values)
            if keepsValues { values[ObjectIdentifier(key)] = value }
            return old
        }
    }

    private static func value<Key: ContextKey>(_ key: Key.Type, in values: [ObjectIdentifier: any Sendable])
        -> Key.Value
    {
        values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue
    }
}
