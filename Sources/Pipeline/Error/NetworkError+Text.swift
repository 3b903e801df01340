public import Foundation

extension NetworkError.Code {
    /// The coarse kind of this code; `.other` for codes from outside this package.
    public var category: NetworkError.Category { facts?.category ?? .other }

    /// What the code means and what to do about it, as a sentence without a full stop.
    var advice: String { facts?.advice ?? "code \(rawValue)" }

    private var facts: Facts? { Self.table[self] }

    private struct Facts: Sendable {
        let category: NetworkError.Category
        let advice: String
    }

    private static let table: [NetworkError.Code: Facts] = [
        .invalidRequest: .init(
            category: .request,
            advice: "the request cannot be sent as it is; mend it where it is built"
        ),
        .encodingFailed: .init(
            category: .request,
            advice: "the body could not be encoded; look at the underlying encoding error"
        ),
        .bodyNotReplayable: .init(
            category: .request,
            advice: "the body can be read once only and has been; give a body that can be made again"
        ),
        .cancelled: .init(category: .cancellation, advice: "the send was cancelled, so there is no answer"),
        .timedOutConnecting: .init(
            category: .timeLimit,
            advice: "no connection was made within the connect limit; check host and port, or raise timeLimits.connect"
        ),
        .timedOutIdle: .init(
            category: .timeLimit,
            advice: "nothing arrived or left within the idle limit; the server is stuck, or raise timeLimits.idle"
        ),
        .timedOutAttempt: .init(
            category: .timeLimit,
            advice: "the attempt took longer than its limit; retry it, or raise timeLimits.attempt"
        ),
        .timedOut: .init(
            category: .timeLimit,
            advice: "the send took longer than its total limit; raise timeLimits.total if it needs more"
        ),
        .offline: .init(category: .connection, advice: "this device has no network; try again when it has"),
        .hostNotFound: .init(category: .connection, advice: "the host has no address; check its name and the resolver"),
        .connectionRefused: .init(
            category: .connection,
            advice: "nobody listens at that address and port; check the port, or start the server"
        ),
        .connectionLost: .init(category: .connection, advice: "the connection ended before the response was whole"),
        .connectionFailed: .init(category: .connection, advice: "no connection could be made"),
        .proxyFailed: .init(category: .connection, advice: "the proxy did not help; check its address and credentials"),
        .tlsUntrusted: .init(
            category: .security,
            advice:
                "the server's certificate leads to no trusted authority; add its root to the trust roots if it is yours"
        ),
        .tlsExpired: .init(
            category: .security,
            advice: "a certificate of the server is out of date; renew it, or set this machine's clock"
        ),
        .tlsWrongHost: .init(
            category: .security,
            advice: "the server's certificate is for another host; check the URL, or the certificate's names"
        ),
        .tlsHandshake: .init(category: .security, advice: "client and server could not agree on a secure connection"),
        .pinMismatch: .init(
            category: .security,
            advice: "the server's verified chain holds none of the pins; if its keys were changed, update the pins"
        ),
        .pinningUnsupported: .init(
            category: .security,
            advice: "this transport cannot check pins, so nothing was sent; use one that can"
        ),
        .redirectRefused: .init(category: .response, advice: "the redirect leads where this send must not go"),
        .pagingRefused: .init(
            category: .response,
            advice: "the list leads where no send must go, or has more pages than allowed"
        ),
        .responseTooLarge: .init(
            category: .response,
            advice: "the response is larger than allowed; raise maximumResponseSize, stream it, or send it to a file"
        ),
        .truncated: .init(category: .response, advice: "the body ended early"),
        .digestMismatch: .init(
            category: .response,
            advice: "the body was changed on its way, or the server sends a wrong digest; nothing of it was kept"
        ),
        .contentCodingFailed: .init(category: .response, advice: "the compressed body is damaged"),
        .protocolViolation: .init(category: .response, advice: "the server broke the rules of HTTP"),
        .unacceptableStatus: .init(
            category: .response,
            advice: "the request does not accept this status; read payloadData, or widen acceptableStatuses"
        ),
        .unacceptableContentType: .init(
            category: .response,
            advice: "the request does not accept this media type; read payloadData, or accept more types"
        ),
        .emptyBody: .init(
            category: .response,
            advice: "there is no body; make the response type optional if that can be"
        ),
        .decodingFailed: .init(category: .response, advice: "the body is not the value that was expected"),
        .lineTooLong: .init(
            category: .response,
            advice: "a line of the body is longer than allowed; allow longer ones where they are read"
        ),
        .bodyAlreadyRead: .init(
            category: .response,
            advice: "a streamed body is read once; use peek(upTo:) to look at its beginning"
        ),
        .fileFailed: .init(category: .response, advice: "the file of the body could not be written or read"),
        .webSocketUnsupported: .init(
            category: .transport,
            advice: "this transport makes no WebSockets, so nothing was sent; use one that does"
        ),
        .webSocketHandshakeFailed: .init(
            category: .response,
            advice: "the server switched protocols, but not to the WebSocket that was asked for"
        ),
        .webSocketNotOpen: .init(
            category: .connection,
            advice: "the WebSocket is not open, so nothing was sent; wait for its open state"
        ),
        .webSocketClosed: .init(category: .connection, advice: "the server closed the WebSocket"),
        .webSocketMessageTooLarge: .init(
            category: .response,
            advice: "a message is larger than allowed; raise maximumMessageSize if it is meant to be"
        ),
        .authenticationRequired: .init(
            category: .authentication,
            advice: "the request needs a credential and there is none; log in, or set requiresAuthentication to false"
        ),
        .authenticationRejected: .init(
            category: .authentication,
            advice: "the server has refused to renew the credential; log in again"
        ),
        .authenticationFailed: .init(
            category: .authentication,
            advice: "the credential could not be renewed, yet it is still there; look at the underlying error"
        ),
        .authenticationChanged: .init(
            category: .authentication,
            advice: "the credential was replaced or removed meanwhile; send again if that is still what is meant"
        ),
        .actionFailed: .init(category: .action, advice: "the action failed; look at the underlying error"),
        .rateLimited: .init(
            category: .action,
            advice: "it is too early for this request; send it later, or raise the limit"
        ),
        .completionDropped: .init(
            category: .action,
            advice: "the completion handler was released without being called; call it on every path"
        ),
        .sendEnded: .init(
            category: .action,
            advice: "the send has ended; ask its context for a network while it runs"
        ),
        .transportFailed: .init(category: .transport, advice: "the transport failed; look at the underlying error"),
        .transportUnavailable: .init(
            category: .transport,
            advice: "the transport cannot be used here, or was shut down"
        ),
        .hashUnavailable: .init(
            category: .transport,
            advice: "this system has no library with the hash function; on Linux install libcurl with OpenSSL"
        ),
        .optionUnsupported: .init(
            category: .transport,
            advice: "the transport cannot honour an option of the request, so nothing was sent"
        ),
        .contentCodingUnavailable: .init(
            category: .transport,
            advice: "this system cannot make the content coding; send the body as it is, or install the library for it"
        ),
    ]
}

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line: code, step, request, and the ``message``.
    public var description: String {
        var text = code.rawValue
        if let step { text += " in \(step)" }
        if let request { text += " for \(request)" }
        return text + ": " + message
    }

    /// What happened and what it stems from, without code, step and request: for programs that show those in a way of their
    /// own. Like the description it is one line and holds no secret.
    public var message: String {
        var text = response.map { "status \($0.status.code), " } ?? ""
        text += explanation.map(HTTPSyntax.printable) ?? code.advice
        if let underlying { text += " (\(Self.name(of: underlying)))" }
        if attempts > 1 { text += "; \(attempts) attempts" }
        if let refusedRetry { text += "; a retry was refused: \(refusedRetry)" }
        return text
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .struct)
    }

    /// What an error is, without what it carries: foreign errors hold whole URLs and worse.
    private static func name(of error: any Error) -> String {
        if let error = error as? NetworkError { return error.description }
        if error is CancellationError { return "CancellationError" }
        let mirror = Mirror(reflecting: error)
        if mirror.displayStyle == .enum, mirror.children.isEmpty { return "\(type(of: error)).\(error)" }
        #if canImport(Darwin)
            let foreign = error as NSError
            return "\(foreign.domain) \(foreign.code)"
        #else
            if let foreign = error as? any CustomNSError { return "\(type(of: error)) \(foreign.errorCode)" }
            return "\(type(of: error))"
        #endif
    }
}

extension NetworkError: LocalizedError {
    public var errorDescription: String? { description }
}
