import Foundation
public import Pipeline

enum AcceptableContentTypes: CustomPropertyKey {
    static let name = "acceptableContentTypes"
    static let defaultValue: [MediaRange]? = nil
}

extension NetworkRequest {
    /// The media types that the request accepts, for an ``AcceptableContentTypesAction``. Those of the action if `nil`; an
    /// empty list accepts all.
    public var acceptableContentTypes: [MediaRange]? {
        get { customProperties[AcceptableContentTypes.self] }
        set { customProperties[AcceptableContentTypes.self] = newValue }
    }
}

/// Accepts only responses of certain media types: so that the sign-in page of a hotel's network is told from an answer.
///
///     let network = Network(baseURL: api, actions: [.acceptableContentTypes([.json])])
///     request.acceptableContentTypes = ["image/*"]
///
/// It asks for the types in `Accept`, unless the request has that field, and fails with `unacceptable-content-type` for a
/// response of another type. The response is attached to the error, whole (``/Pipeline/NetworkError/payloadData``). Only the
/// body of a stream is let go of, since nobody has read it.
///
/// What has no body passes, whatever its type: an empty one, an answer to HEAD, 204, 205, 304. So does a response whose status
/// is not accepted, which fails for that. A body without a type counts as `application/octet-stream` (RFC 9110, section 8.3).
///
/// **Where it belongs:** in the send zone, where it looks at the one response that comes out of redirects and retries.
///
/// **What it may send twice:** nothing; it never asks for a retry.
///
/// **What it never does:** look into a body. A file to which the body went stays where it is.
///
/// **How to test:** over a `ScriptedTransport` that answers with another type.
public struct AcceptableContentTypesAction: RequestWillBeginAction, ResponseCompletedAction {
    private let types: [MediaRange]

    /// Creates the action.
    ///
    /// - Parameter types: What is accepted for requests that do not say so themselves; all unless told otherwise.
    public init(_ types: [MediaRange] = []) {
        self.types = types
    }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [AcceptableContentTypes.self] }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let types = request.acceptableContentTypes ?? types
        guard !types.isEmpty, !request.headers.contains(.accept) else { return .proceed(request) }
        var request = request
        request.headers[.accept] = types.map(\.description).joined(separator: ", ")
        return .proceed(request)
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        var response = try outcome.get()
        let types = request.acceptableContentTypes ?? types
        let contentType = response.headers.values(of: .contentType).first ?? "application/octet-stream"
        guard !types.isEmpty, response.isAcceptable, response.hasContent,
            !types.contains(where: { $0.contains(contentType) })
        else { return .deliver(response) }
        // A stream that is not carried on is let go of, and its connection with it.
        if response.body.stream != nil { response.body = .empty }
        let accepted = types.map(\.description).joined(separator: ", ")
        throw NetworkError(
            .unacceptableContentType,
            "the body is \(contentType.prefix(Self.shown)), and the request accepts \(accepted)",
            response: response
        )
    }

    /// How much of a type is shown.
    private static let shown = 100
}

extension NetworkResponse {
    /// Whether there is a body to have a type, as far as is known without reading it.
    fileprivate var hasContent: Bool {
        if request.method == .head || [204, 205, 304].contains(status.code) { return false }
        if let data = body.data { return !data.isEmpty }
        if let file = body.file { return RequestBody.file(file).length != 0 }
        return body.stream?.expectedLength != 0
    }
}

extension Action where Self == AcceptableContentTypesAction {
    /// Accepts only responses of certain media types; see ``AcceptableContentTypesAction``.
    ///
    /// - Parameter types: What is accepted for requests that do not say so themselves.
    public static func acceptableContentTypes(_ types: [MediaRange] = []) -> AcceptableContentTypesAction {
        AcceptableContentTypesAction(types)
    }
}
