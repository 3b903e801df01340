public import Foundation
public import Pipeline

/// Gives each send an identity that the server sees, so that its log and the program's can be laid side by side.
///
///     let network = Network(baseURL: api, actions: [LoggingAction(), RequestIDAction()])
///     do {
///         try await network.send(SaveOrder(order))
///     } catch {
///         show("Please mention \(error.requestID ?? "the time") to our support.")
///     }
///
/// All hops and attempts of a send carry the same one. Afterwards it is read from the request of a response, from a response,
/// and from an error: `NetworkRequest.requestID`.
///
/// **Where it belongs:** in the send zone, after logging, before everything else.
///
/// **What it may send twice:** nothing.
///
/// **What it never does:** replace an identity that the request brings, in the header field or in
/// `NetworkRequest.requestID`; put anything into it that says who is asking.
///
/// **How to test:** give it a generator that returns what the test expects, and look at the requests of a `ScriptedTransport`.
public struct RequestIDAction: RequestWillBeginAction {
    /// The name of the field.
    public let name: HTTPFieldName

    private let generate: @Sendable () -> String

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - name: The name of the field; `X-Request-ID` unless told otherwise.
    ///   - generate: Makes a new identity; a random UUID in lower case unless told otherwise. One that cannot stand in a
    ///     header field is refused when the request is sent.
    public init(
        name: HTTPFieldName = "X-Request-ID",
        generate: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        self.name = name
        self.generate = generate
    }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [RequestIDKey.self] }

    /// The identity of the send, for when an action further out retries.
    private enum Made: ContextKey {
        static let defaultValue: String? = nil
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        let id =
            request.headers[name] ?? request.requestID ?? request.context.store.value(of: Made.self, orNew: generate)
        request.requestID = id
        if !request.headers.contains(name) { request.headers[name] = id }
        return .proceed(request)
    }
}

/// The identity of a send as the server sees it. Its name is `requestID`.
public enum RequestIDKey: CustomPropertyKey {
    public static let name = "requestID"
    public static let defaultValue: String? = nil
}

extension NetworkRequest {
    /// The identity of the send as the server sees it: the one given here before the send, or the one that a
    /// ``RequestIDAction`` made. `nil` if there is neither.
    public var requestID: String? {
        get { customProperties[RequestIDKey.self] }
        set { customProperties[RequestIDKey.self] = newValue }
    }
}

extension NetworkResponse {
    /// The identity of the send, as the server saw it.
    public var requestID: String? { request.requestID }
}

extension NetworkError {
    /// The identity of the send, as the server saw it; `nil` if the send failed before it had one.
    public var requestID: String? { customProperties[RequestIDKey.self] }
}

extension Action where Self == RequestIDAction {
    /// Gives each send an identity that the server sees.
    ///
    /// - Parameter name: The name of the field; `X-Request-ID` unless told otherwise.
    public static func requestID(name: HTTPFieldName = "X-Request-ID") -> RequestIDAction {
        RequestIDAction(name: name)
    }
}
