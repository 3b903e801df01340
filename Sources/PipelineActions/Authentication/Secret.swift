/// A value that nothing shows: not a description, not `dump`, not a debugger.
struct Secret<Value: Sendable & Hashable>: Sendable, Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<redacted>" }

    var debugDescription: String { description }

    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
