extension Optional {
    /// Takes the value out, leaving `nil`.
    mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
