import Pipeline

extension ContextStore {
    /// The value of a key, which is made when it is first asked for. A send visits one action at a time, so it is made once.
    func value<Key: ContextKey, Value>(of key: Key.Type, orNew make: () -> Value) -> Value where Key.Value == Value? {
        if let value = self[key] { return value }
        let value = make()
        self[key] = value
        return value
    }
}
