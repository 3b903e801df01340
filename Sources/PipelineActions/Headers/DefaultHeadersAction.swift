public import Pipeline

/// Adds header fields that a request does not set itself: the same for all, or worked out for each request.
///
///     DefaultHeadersAction(["Accept": "application/json", "API-Version": 3])
///     DefaultHeadersAction { request in
///         [.acceptLanguage: await settings.language]
///     }
///
/// **Where it belongs:** in the send zone, where it stands by itself: the fields are the same for every hop and attempt.
/// Fields that depend on the URL or on the attempt want the hop zone.
///
/// **Secrets.** A field that is sensitive, `Authorization` for one, goes to the origins that it is bound to
/// (``/Pipeline/HTTPField/origins``), else to that of the network's base URL, and without one to the origin at which the send
/// begins; and never again once the send has left them. Unlike the actions for credentials this one does not ask whether the
/// way there is secure.
///
/// **What it may send twice:** nothing.
///
/// **What it never does:** touch a field whose name the request already has, in any letter case. Give a secret to another origin.
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
        if let compute { request.add(missingFrom: try await compute(request)) }
        request.add(missingFrom: defaults)
        return .proceed(request)
    }
}

extension NetworkRequest {
    /// Adds the fields whose names are not there yet, but no secret that belongs elsewhere.
    fileprivate mutating func add(missingFrom others: HTTPHeaders) {
        var missing: [HTTPField] = []
        for field in others where !headers.contains(field.name) {
            if let field = bound(field) { missing.append(field) }
        }
        headers.append(contentsOf: missing)
    }

    /// A secret as one that is bound to its origins; `nil` if the request must go without.
    private func bound(_ field: HTTPField) -> HTTPField? {
        guard field.isSensitive, let target = Origin(url) else { return field }
        let origins = field.origins ?? [context.baseURL.flatMap(Origin.init) ?? target]
        guard origins.contains(target), context.hasStayed(within: origins) else {
            context.report(.note(action: "DefaultHeadersAction", WithheldDefault(name: field.name)))
            return nil
        }
        var field = field
        field.origins = origins
        return field
    }
}

extension Action where Self == DefaultHeadersAction {
    /// Adds header fields that a request does not set itself.
    public static func defaultHeaders(_ defaults: HTTPHeaders) -> DefaultHeadersAction {
        DefaultHeadersAction(defaults)
    }
}
