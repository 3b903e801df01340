extension NetworkError {
    /// What went wrong, as a value to compare with `==`.
    ///
    /// The list is open: actions and transports outside this package can add theirs.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// A short, fixed name without request data, fit for a metric label.
        public let rawValue: String

        /// Creates a code. Those outside this package name theirs with a prefix of their own.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        public var description: String { rawValue }

        // The request

        /// The request cannot be sent as it is: no URL, a scheme other than http and https, a malformed header field, a
        /// custom property of the wrong type.
        public static let invalidRequest = Code("invalid-request")
        /// The value given as body could not be encoded.
        public static let encodingFailed = Code("encoding-failed")
        /// The body can be read once only, and it has been.
        public static let bodyNotReplayable = Code("body-not-replayable")

        // The end before the end

        /// The send was cancelled.
        public static let cancelled = Code("cancelled")
        /// No connection was made in time (``TimeLimits/connect``).
        public static let timedOutConnecting = Code("timed-out-connecting")
        /// Nothing arrived or left for too long (``TimeLimits/idle``).
        public static let timedOutIdle = Code("timed-out-idle")
        /// One attempt took too long (``TimeLimits/attempt``).
        public static let timedOutAttempt = Code("timed-out-attempt")
        /// The whole send took too long (``TimeLimits/total``).
        public static let timedOut = Code("timed-out")

        // The connection

        /// This device has no network.
        public static let offline = Code("offline")
        /// The name of the host has no address.
        public static let hostNotFound = Code("host-not-found")
        /// Nobody listens at that address and port.
        public static let connectionRefused = Code("connection-refused")
        /// The connection ended before the response was whole.
        public static let connectionLost = Code("connection-lost")
        /// No connection could be made, for a reason that has no code of its own.
        public static let connectionFailed = Code("connection-failed")
        /// The proxy could not be reached or refused to help.
        public static let proxyFailed = Code("proxy-failed")

        // Transport security

        /// The server's certificate leads to no authority that is trusted.
        public static let tlsUntrusted = Code("tls-untrusted")
        /// A certificate has expired or is not valid yet.
        public static let tlsExpired = Code("tls-expired")
        /// The certificate is for another host.
        public static let tlsWrongHost = Code("tls-wrong-host")
        /// The two sides could not agree on a secure connection.
        public static let tlsHandshake = Code("tls-handshake")
        /// The server's verified chain holds none of the pins.
        public static let pinMismatch = Code("pin-mismatch")
        /// The transport cannot check pins.
        public static let pinningUnsupported = Code("pinning-unsupported")

        // The response

        /// A redirect leads where this send must not go: too many, in a circle, to plain http, to another scheme.
        public static let redirectRefused = Code("redirect-refused")
        /// The next page of a list is where no send must go, or there are more pages than allowed.
        public static let pagingRefused = Code("paging-refused")
        /// The response is larger than allowed.
        public static let responseTooLarge = Code("response-too-large")
        /// The body ended early.
        public static let truncated = Code("truncated")
        /// The body does not have the digest that came with it.
        public static let digestMismatch = Code("digest-mismatch")
        /// The content coding of the body could not be undone.
        public static let contentCodingFailed = Code("content-coding-failed")
        /// The server broke the rules of HTTP.
        public static let protocolViolation = Code("protocol-violation")
        /// The status is not one that the request accepts.
        public static let unacceptableStatus = Code("unacceptable-status")
        /// The body is of a media type that the request does not accept.
        public static let unacceptableContentType = Code("unacceptable-content-type")
        /// There is no body where a value was expected.
        public static let emptyBody = Code("empty-body")
        /// The body is not the value that was expected.
        public static let decodingFailed = Code("decoding-failed")
        /// A line of the body, or an event in it, is longer than its reader allows.
        public static let lineTooLong = Code("line-too-long")
        /// A streamed body was read a second time.
        public static let bodyAlreadyRead = Code("body-already-read")
        /// The file for the body could not be written or read.
        public static let fileFailed = Code("file-failed")

        // WebSockets

        /// The transport cannot make a WebSocket.
        public static let webSocketUnsupported = Code("websocket-unsupported")
        /// The server switched protocols, but not as RFC 6455 asks for.
        public static let webSocketHandshakeFailed = Code("websocket-handshake-failed")
        /// The WebSocket is not open: not yet, not just now, or not any more. Nothing was sent.
        public static let webSocketNotOpen = Code("websocket-not-open")
        /// The server closed the WebSocket with a code that says that something was wrong.
        public static let webSocketClosed = Code("websocket-closed")
        /// A message of the server is larger than the WebSocket takes.
        public static let webSocketMessageTooLarge = Code("websocket-message-too-large")

        // Authentication

        /// The request needs a credential and there is none, or none that may go where the request leads. Nothing was sent.
        public static let authenticationRequired = Code("authentication-required")
        /// The server has refused to renew the credential: somebody has to log in again. Nothing else will help.
        public static let authenticationRejected = Code("authentication-rejected")
        /// The credential could not be renewed, for a reason that may pass; see ``NetworkError/underlying``. It is still there.
        public static let authenticationFailed = Code("authentication-failed")
        /// The credential was set anew or removed while the send was under way, by a change of user for one.
        public static let authenticationChanged = Code("authentication-changed")

        // The parts

        /// An action threw; see ``NetworkError/underlying``.
        public static let actionFailed = Code("action-failed")
        /// A limit on the client's side lets no more requests through for now.
        public static let rateLimited = Code("rate-limited")
        /// A callback action let go of its completion handler without calling it.
        public static let completionDropped = Code("completion-dropped")
        /// A send was asked for its network after its end.
        public static let sendEnded = Code("send-ended")
        /// The transport failed for a reason that has no code of its own; see ``NetworkError/underlying``.
        public static let transportFailed = Code("transport-failed")
        /// The transport cannot work here, or was shut down.
        public static let transportUnavailable = Code("transport-unavailable")
        /// This system has no library that computes the hash function asked for.
        public static let hashUnavailable = Code("hash-unavailable")
        /// The transport cannot honour an option of the request.
        public static let optionUnsupported = Code("option-unsupported")
        /// This system cannot make a content coding.
        public static let contentCodingUnavailable = Code("content-coding-unavailable")
    }

    /// What kind of trouble a code is.
    public struct Category: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// A short, fixed name.
        public let rawValue: String

        /// Creates a category.
        public init(rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }

        /// The request itself is at fault.
        public static let request = Category(rawValue: "request")
        /// Somebody called it off.
        public static let cancellation = Category(rawValue: "cancellation")
        /// A time limit struck.
        public static let timeLimit = Category(rawValue: "time-limit")
        /// There was no connection, or it broke.
        public static let connection = Category(rawValue: "connection")
        /// The other side could not prove who it is, or no secure connection was possible.
        public static let security = Category(rawValue: "security")
        /// The server answered, and the answer is not what was wanted.
        public static let response = Category(rawValue: "response")
        /// There is no credential that the server takes.
        public static let authentication = Category(rawValue: "authentication")
        /// An action failed.
        public static let action = Category(rawValue: "action")
        /// The transport failed or cannot do what was asked.
        public static let transport = Category(rawValue: "transport")
        /// A code from outside this package.
        public static let other = Category(rawValue: "other")
    }
}
