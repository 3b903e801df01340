import Foundation

/// Writes a value into a ``FormTree``.
struct FormTreeEncoder: Encoder {
    let tree: FormTree
    let dates: FormEncoder.DateStyle
    var codingPath: [any CodingKey] = []

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tree.becomeFields()
        return KeyedEncodingContainer(Fields(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tree.becomeList()
        return Items(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Value(encoder: self) }

    /// Writes what has a text, and has everything else encode itself.
    func write<T: Encodable>(_ value: T) throws {
        switch value {
        case let value as String: tree.content = .text(value)
        case let value as Bool: tree.content = .boolean(value)
        case let value as any FixedWidthInteger: tree.content = .text(String(describing: value))
        case let value as any BinaryFloatingPoint:
            guard value.isFinite else {
                throw EncodingError.invalidValue(value, "\(value) is not finite", path: codingPath)
            }
            tree.content = .text(String(describing: value))
        case let value as Date: tree.content = .text(dates.text(of: value))
        case let value as Data: tree.content = .text(value.base64EncodedString())
        case let value as URL: tree.content = .text(value.absoluteString)
        case let value as Decimal: tree.content = .text(value.description)
        default:
            try value.encode(to: self)
            if value is any HasUnorderedFields { tree.sortFields() }
        }
    }

    fileprivate func below(_ tree: FormTree, _ key: any CodingKey) -> FormTreeEncoder {
        FormTreeEncoder(tree: tree, dates: dates, codingPath: codingPath + [key])
    }
}

/// Tells dictionaries, whose order is another in each run.
private protocol HasUnorderedFields {}

extension Dictionary: HasUnorderedFields {}

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormTreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func field(_ key: any CodingKey) -> FormTreeEncoder {
        encoder.below(encoder.tree.addField(key.stringValue), key)
    }

    func encodeNil(forKey key: Key) {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try field(key).write(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        field(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { field(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { field(FormKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { field(key) }
}

private struct Items: UnkeyedEncodingContainer {
    let encoder: FormTreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.tree.itemCount }

    private func item() -> FormTreeEncoder {
        let key = FormKey(String(count))
        return encoder.below(encoder.tree.addItem(), key)
    }

    func encodeNil() { _ = item() }

    func encode<T: Encodable>(_ value: T) throws { try item().write(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        item().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { item().unkeyedContainer() }

    func superEncoder() -> any Encoder { item() }
}

private struct Value: SingleValueEncodingContainer {
    let encoder: FormTreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {}

    func encode<T: Encodable>(_ value: T) throws { try encoder.write(value) }
}

/// A field by its name.
struct FormKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
