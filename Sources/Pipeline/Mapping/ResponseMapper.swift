public import Foundation

/// A function that reads a value out of the body of a response, given by itself instead of in a type of request.
///
///     let settings = try await network.send(GetSettings().mapped(by: .dictionary))
///     let total = ResponseMapper { body, _ in try Invoice(xml: body).total }
///     network.send(GetInvoice(id: 7).mapped(by: total)) { result in … }
///
/// A request that is mapped is a ``DataRequest``, so every face of ``Network`` takes it. Statuses are checked before, as for any
/// request: a mapper sees 200 to 299 unless the request accepts others.
///
/// The body is empty for responses that have none by definition (to HEAD, and with 204, 205 and 304), whatever they carry.
public struct ResponseMapper<Value: Sendable>: Sendable {
    private let read: @Sendable (Data, NetworkResponse) throws -> Value

    /// Creates a mapper.
    ///
    /// - Parameter read: Reads the value, off the main thread. Its first argument is the whole body.
    public init(_ read: @escaping @Sendable (_ body: Data, _ response: NetworkResponse) throws -> Value) {
        self.read = read
    }

    /// Reads the value.
    ///
    /// - Parameters:
    ///   - body: The whole body.
    ///   - response: The response it belongs to.
    /// - Throws: ``NetworkError`` `decoding-failed` with what the function threw as its cause, with the type that was expected and
    ///   the beginning of the body. A ``NetworkError`` that it threw stays what it is.
    public func callAsFunction(_ body: Data, _ response: NetworkResponse) throws(NetworkError) -> Value {
        do {
            return try read(body, response)
        } catch {
            throw error.networkError ?? NetworkError(undecodable: body, as: Value.self, cause: error)
        }
    }

    /// A mapper that makes something else of the value.
    ///
    /// - Parameter transform: Makes it. What it throws counts as a failure of the mapper.
    public func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> ResponseMapper<Other> {
        ResponseMapper<Other> { [self] body, response in try transform(self(body, response)) }
    }

    /// A mapper that gives `nil` for an empty body and does the same for any other.
    public var optional: ResponseMapper<Value?> {
        ResponseMapper<Value?> { [self] body, response in body.isEmpty ? nil : try self(body, response) }
    }
}

extension Request {
    /// This request with its answer read by a mapper, whichever face sends it.
    ///
    ///     let members = try await network.reply(to: GetUser(id: 7).mapped(by: .dictionary)).value
    ///
    /// How the request itself would read the answer does not matter.
    public func mapped<Value>(by mapper: ResponseMapper<Value>) -> DataRequest<Value> {
        DataRequest(self) { response in try mapper(try await response.bodyToDecode() ?? Data(), response) }
    }

    /// This request with its answer read by a function.
    ///
    ///     let user = try await network.send(GetUser(id: 7).mapped(by: User.init(body:response:)))
    ///
    /// - Parameter read: Reads the value, as that of a ``ResponseMapper`` does.
    public func mapped<Value>(
        by read: @escaping @Sendable (_ body: Data, _ response: NetworkResponse) throws -> Value
    ) -> DataRequest<Value> {
        mapped(by: ResponseMapper(read))
    }
}
