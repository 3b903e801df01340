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
///
/// It is a view of the ``SendContext`` it belongs to: copies see the same values.
public struct ContextStore: Sendable {
    private let context: SendContext

    init(of context: SendContext) {
        self.context = context
    }

    /// The value of a key, or its default.
    public subscript<Key: ContextKey>(key: Key.Type) -> Key.Value {
        get { context.remembered.withLock { $0[key] } }
        nonmutating set { _ = exchange(key, for: newValue) }
    }

    /// Stores a value and returns the one it replaces, in one step: of many callers one sees the old value.
    public func exchange<Key: ContextKey>(_ key: Key.Type, for value: Key.Value) -> Key.Value {
        context.remembered.withLock { remembered in
            let old = remembered[key]
            // The context of no send is shared by strangers, so nothing is kept there.
            if !context.isDetached { remembered[key] = value }
            return old
        }
    }

    /// The values themselves.
    struct Values: Sendable {
        private var values: [ObjectIdentifier: any Sendable] = [:]

        init() {}

        subscript<Key: ContextKey>(key: Key.Type) -> Key.Value {
            get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
            set { values[ObjectIdentifier(key)] = newValue }
        }
    }
}
