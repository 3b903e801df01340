/// What a ``LoopbackServer`` does when the head of a request is in and its body is not yet read.
///
/// See ``LoopbackServer/handleHead(_:_:_:)``.
public struct LoopbackHeadDecision: Sendable {
    enum Kind: Sendable {
        case readBody(steps: [LoopbackStep]?, reading: LoopbackReading?, keepsBody: Bool)
        case reply(LoopbackReply)
    }

    let kind: Kind

    /// Reads the body as if nobody had asked: sends `100 Continue` first if the client expects it, then lets the request's
    /// handler answer.
    public static let readBody = LoopbackHeadDecision(
        kind: .readBody(steps: nil, reading: nil, keepsBody: true)
    )

    /// Plays these steps, reads the body, then lets the request's handler answer.
    ///
    /// - Parameters:
    ///   - steps: What happens first: interim responses, a pause, a gate. No `100 Continue` is sent unless it is among
    ///     them, so `.readBody(after: [])` lets a client wait for it in vain.
    ///   - reading: How the body is read. As the handler or the server says unless told otherwise.
    ///   - keepsBody: False to count the bytes of the body and drop them, so that an upload of gigabytes takes no memory.
    ///     They are missing from ``LoopbackConnection/bytesReceived`` too.
    /// - Returns: The decision.
    public static func readBody(
        after steps: [LoopbackStep],
        reading: LoopbackReading? = nil,
        keepsBody: Bool = true
    ) -> LoopbackHeadDecision {
        LoopbackHeadDecision(kind: .readBody(steps: steps, reading: reading, keepsBody: keepsBody))
    }

    /// Answers at once, without reading the body.
    ///
    /// The connection is closed afterwards if the request has a body, and the reply's head says so. The server
    /// stops sending and reads what still comes until the client closes, so that the answer is not lost in a reset.
    /// With ``LoopbackStep/keepOpen`` it reads the rest of the body and goes on with the next request.
    public static func reply(_ reply: LoopbackReply) -> LoopbackHeadDecision {
        LoopbackHeadDecision(kind: .reply(reply))
    }
}
