public import Foundation
public import Pipeline

/// Gives each send that changes something a key by which the server knows it again, in the `Idempotency-Key` field.
///
/// A server that keeps track of keys does the work once and gives the first answer again, however often the request comes.
/// So ``RetryAction`` repeats a request that carries one. All hops and attempts of a send carry the same key, whatever is
/// retried, refreshed or redirected.
///
/// > Important: Register it only for servers that keep track of keys. For others the field is a promise that nobody keeps, and
/// > a retry can place an order twice.
///
/// **Where it belongs:** in the send zone, so before every action that retries.
///
/// **What it may send twice:** nothing; but what carries a key is sent again by ``RetryAction``.
///
/// **What it never does:** replace a key that the request brings, in the header field or in
/// `NetworkRequest.idempotencyKey`; use a key for two sends.
///
/// **How to test:** give it a generator that returns what the test expects, and look at the requests of a `ScriptedTransport`.
public struct IdempotencyKeyAction: RequestWillBeginAction {
    /// The methods of the requests that get a key.
    public let methods: Set<HTTPMethod>

    private let generate: @Sendable () -> String

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - methods: The methods of the requests that get a key; POST and PATCH unless told otherwise. The others that are
    ///     common are idempotent without one (RFC 9110, section 9.2.2).
    ///   - generate: Makes a new key; a random UUID in lower case unless told otherwise.
    public init(
        methods: Set<HTTPMethod> = [.post, .patch],
        generate: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        self.methods = methods
        self.generate = generate
    }

    public var customPropertyKeys: [any CustomPropertyKey.Type] {
        [IdempotencyKeyKey.self, SendsIdempotencyKeyKey.self]
    }

    /// The key of the send.
    private enum Made: ContextKey {
        static let defaultValue: String? = nil
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard !request.headers.contains(.idempotencyKey), isWanted(for: request) else { return .proceed(request) }
        var request = request
        request.headers[.idempotencyKey] =
            request.idempotencyKey ?? request.context.store.value(of: Made.self, orNew: generate)
        return .proceed(request)
    }

    private func isWanted(for request: NetworkRequest) -> Bool {
        request.sendsIdempotencyKey ?? (request.idempotencyKey != nil || methods.contains(request.method))
    }
}

/// The key by which the server knows a request again. Its name is `idempotencyKey`.
public enum IdempotencyKeyKey: CustomPropertyKey {
    public static let name = "idempotencyKey"
    public static let defaultValue: String? = nil
}

/// Whether a request gets a key by which the server knows it again. Its name is `sendsIdempotencyKey`.
public enum SendsIdempotencyKeyKey: CustomPropertyKey {
    public static let name = "sendsIdempotencyKey"
    public static let defaultValue: Bool? = nil
}

extension NetworkRequest {
    /// The key by which the server knows this request again; `nil`, as it is at first, to have one made for each send.
    ///
    /// Give one to have two sends count as one: a payment that the user starts again after the program has ended, for one.
    public var idempotencyKey: String? {
        get { customProperties[IdempotencyKeyKey.self] }
        set { customProperties[IdempotencyKeyKey.self] = newValue }
    }

    /// Whether this request gets a key; `nil`, as it is at first, to go by its method.
    public var sendsIdempotencyKey: Bool? {
        get { customProperties[SendsIdempotencyKeyKey.self] }
        set { customProperties[SendsIdempotencyKeyKey.self] = newValue }
    }
}

extension Action where Self == IdempotencyKeyAction {
    /// Gives each send that changes something a key by which the server knows it again.
    public static var idempotencyKey: IdempotencyKeyAction { IdempotencyKeyAction() }
}
