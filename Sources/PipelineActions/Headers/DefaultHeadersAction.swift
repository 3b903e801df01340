public import Pipeline

/// Adds header fields that a request does not set itself: the same for all, or worked out for each request.
///
///     DefaultHeadersAction(["Accept": "application/json", "API-Version": 3])
///     DefaultHeadersAction { request in
///         [.acceptLanguage: await settings.language]
///     }
///
/// **Where it belongs:** in the send zone, where it stands by itself: the fields are the same for every hop and attempt. A
/// field that is sensitive, `Authorization` for one, is bound to the origin of the request like any other it carries, and does
/// not follow a redirect elsewhere. Fields that depend on the URL or on the attempt want the hop zone.
///
/// **What it may send twice:** nothing.
///
/// **What it never does:** touch a field whose name the request already has, in any letter case.
///
/// **How to test:** send over a `ScriptedTransport` of `PipelineTesting` and look at the header fields of its requests.
public struct DefaultHeadersAction: RequestWillBeginAction {
    public let zone: ActionZone

    private let defaults: HTTPHeaders
    private let compute: (@Sendable (NetworkRequest) async throws -> HTTPHeaders)?

    /// Creates an action that adds the same fields to all requests.
    ///
    /// - Parameter defaults: The fields to add. A field whose name the request already has, in any letter case, is left out
    ///   (RFC 9110, section 5.1).
    public init(_ defaults: HTTPHeaders) {
        self.defaults = defaults
        compute = nil
        zone = .send
    }

    /// Creates an action that works fields out for each request.
    ///
    /// - Parameters:
    ///   - defaults: Fields that are the same for all requests, where `compute` gives none of their name.
    ///   - zone: Where the action stands. In the send zone, as it does unless told otherwise, `compute` is called once per
    ///     send; in the hop zone once per hop, and if the action stands after a `RetryAction`, once per attempt.
    ///   - compute: Gets the request as it comes to the action and returns the fields to add; those whose name the request
    ///     already has are left out. What it throws ends the send as the cause of an `action-failed` error.
    public init(
        _ defaults: HTTPHeaders = [:],
        zone: ActionZone = .send,
        compute: @escaping @Sendable (NetworkRequest) async throws -> HTTPHeaders
    ) {
        self.defaults = defaults
        self.zone = zone
        self.compute = compute
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        if let compute { request.headers.append(missingFrom: try await compute(request)) }
        request.headers.append(missingFrom: defaults)
        return .proceed(request)
    }
}

extension HTTPHeaders {
    /// Adds the fields whose names are not there yet.
    fileprivate mutating func append(missingFrom others: HTTPHeaders) {
        append(contentsOf: others.filter { !contains($0.name) })
    }
}

extension Action where Self == DefaultHeadersAction {
    /// Adds header fields that a request does not set itself.
    public static func defaultHeaders(_ defaults: HTTPHeaders) -> DefaultHeadersAction {
        DefaultHeadersAction(defaults)
    }
}
