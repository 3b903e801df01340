import Foundation

extension Request {
    /// This request with its answer read as another type.
    ///
    ///     let todo = try await network.send(Todos.todo(1).as(Todo.self))
    ///     let names = try await network.send(.get("names").as([String]?.self))
    ///
    /// The rules are those of ``Request``: `Data` and `String` are the body as it is, an empty body gives `nil` for an optional
    /// and is an `empty-body` error for any other value.
    ///
    /// - Parameter type: What the answer is read as.
    public func `as`<Value: Decodable & Sendable>(_ type: Value.Type) -> DataRequest<Value> {
        DataRequest(self) { response in
            guard let body = try await response.bodyToDecode() else { return try Value.ofEmptyBody() }
            // A generic function cannot tell data and text from other values before it runs.
            switch type {
            case is Data.Type, is Data?.Type: return Value.taking(body)
            case is String.Type, is String?.Type: return Value.taking(try response.text(body))
            default: return try response.decode(type, from: body)
            }
        }
    }
}

extension Decodable {
    /// The value that stands for an empty body, if the type has one.
    fileprivate static func ofEmptyBody() throws(NetworkError) -> Self {
        let stand: Any? =
            switch Self.self {
            case is Data.Type: Data()
            case is String.Type: ""
            case let type as any ExpressibleByNilLiteral.Type: type.init(nilLiteral: ())
            default: nil
            }
        guard let value = stand as? Self else { throw NetworkError(.emptyBody) }
        return value
    }

    /// A value of this type or of the one it is the optional of.
    fileprivate static func taking(_ value: some Sendable) -> Self {
        guard let value = value as? Self else { preconditionFailure("\(Self.self) was taken for another type") }
        return value
    }
}
