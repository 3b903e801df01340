/// Why a WebSocket was closed, as a number (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt16

    /// Creates a code from its number. Applications have 4000 to 4999 for themselves, libraries register 3000 to 3999.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a code from its number.
    public init(_ number: UInt16) { rawValue = number }

    public var description: String { String(rawValue) }

    /// The purpose was fulfilled.
    public static let normalClosure = WebSocketCloseCode(1000)
    /// The server goes down, or the client leaves.
    public static let goingAway = WebSocketCloseCode(1001)
    /// The other side broke the rules of RFC 6455.
    public static let protocolError = WebSocketCloseCode(1002)
    /// A kind of message came that cannot be taken.
    public static let unsupportedData = WebSocketCloseCode(1003)
    /// A close came without a code. It stands for that and is never sent.
    public static let noStatusReceived = WebSocketCloseCode(1005)
    /// The connection ended without a close. It stands for that and is never sent.
    public static let abnormalClosure = WebSocketCloseCode(1006)
    /// A message is not what its type says: a text that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(1007)
    /// A message breaks a rule of the application.
    public static let policyViolation = WebSocketCloseCode(1008)
    /// A message is larger than is taken.
    public static let messageTooBig = WebSocketCloseCode(1009)
    /// The client needs an extension that the server does not have.
    public static let mandatoryExtension = WebSocketCloseCode(1010)
    /// The server met a condition that it did not expect.
    public static let internalError = WebSocketCloseCode(1011)
    /// The server starts anew; come back.
    public static let serviceRestart = WebSocketCloseCode(1012)
    /// The server has too much to do; come back later.
    public static let tryAgainLater = WebSocketCloseCode(1013)
    /// A server in between got no good answer.
    public static let badGateway = WebSocketCloseCode(1014)

    /// Whether the code may stand in a close frame: 1000 to 1003, 1007 to 1014 (RFC 6455, section 7.4.1, and the registry it
    /// founded), 3000 to 4999.
    public var canBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// How a WebSocket was closed.
public struct WebSocketClose: Sendable, Hashable, CustomStringConvertible {
    /// Why, as a number.
    public var code: WebSocketCloseCode

    /// Why, in words for developers; often empty. What a server sends here is text of strangers: it can hold anything.
    public var reason: String

    /// Creates a value.
    public init(_ code: WebSocketCloseCode, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// The code, and the reason with control characters escaped.
    public var description: String { reason.isEmpty ? "\(code)" : "\(code) \(HTTPSyntax.printable(reason))" }
}
