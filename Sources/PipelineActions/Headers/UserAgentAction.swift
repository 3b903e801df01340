public import Pipeline

/// Tells servers which program is asking, in the `User-Agent` field (RFC 9110, section 10.1.5).
///
///     UserAgentAction()                                              // the program's name and version
///     UserAgentAction(try UserAgent(product: "Mail", version: "2.1"))
///
/// **Where it belongs:** in the send zone, where it stands by itself: the field is the same for every hop and attempt.
///
/// **What it may send twice:** nothing.
///
/// **What it never does:** replace a field that the request sets itself; tell anything of the machine or the system.
///
/// **How to test:** send over a `ScriptedTransport` of `PipelineTesting` and look at the header fields of its requests.
public struct UserAgentAction: RequestWillBeginAction {
    /// What the program says it is.
    public let userAgent: UserAgent

    /// Creates the action.
    ///
    /// - Parameter userAgent: What the program says it is; its name and version unless told otherwise.
    public init(_ userAgent: UserAgent = .program) {
        self.userAgent = userAgent
    }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard !request.headers.contains(.userAgent) else { return .proceed(request) }
        var request = request
        request.headers[.userAgent] = userAgent.description
        return .proceed(request)
    }
}

extension Action where Self == UserAgentAction {
    /// Tells servers which program is asking.
    public static func userAgent(_ userAgent: UserAgent = .program) -> UserAgentAction { UserAgentAction(userAgent) }
}
