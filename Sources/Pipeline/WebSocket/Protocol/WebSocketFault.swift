/// A rule of RFC 6455 that the other side broke, with the code to close with (section 7.4.1).
package struct WebSocketFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: WebSocketCloseCode
    package let description: String

    package init(_ code: WebSocketCloseCode, _ description: String) {
        self.code = code
        self.description = description
    }

    static func violation(_ text: String) -> WebSocketFault { WebSocketFault(.protocolError, text) }
}
