public import Pipeline

/// Adds header fields that a request does not set itself.
///
/// **Where it belongs:** in the send zone, where it stands by itself: the fields are the same for every attempt. A field
/// that is sensitive, `Authorization` for one, is bound to the origin of the request like any other it carries, and does not
/// follow a redirect elsewhere.
///
/// **What it leaves alone:** a field whose name the request already has, in any letter case.
public struct DefaultHeadersAction: RequestWillBeginAction {
    private let defaults: HTTPHeaders

    /// Creates the action.
    ///
    /// - Parameter defaults: The fields to add. A field whose name the request already has, in any letter case, is left out
    ///   (RFC 9110, section 5.1).
    public init(_ defaults: HTTPHeaders) {
        self.defaults = defaults
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        let missing = defaults.filter { !request.headers.contains($0.name) }
        request.headers.append(contentsOf: missing)
        return .proceed(request)
    }
}
