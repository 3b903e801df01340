import Foundation
import Pipeline

extension LoopbackServer {
    /// Opens a WebSocket for requests with this path that ask for one (RFC 6455), and hands it to a handler.
    ///
    ///     server.handleWebSocket("/echo") { socket in
    ///         while let message = try socket.receive() { try socket.send(message) }
    ///     }
    ///
    /// - Parameters:
    ///   - path: A pattern, as for other handlers.
    ///   - subprotocols: Those that the server speaks. Of those that the client offers the first of them is chosen.
    ///   - handler: Runs on the thread of the connection. When it returns the WebSocket is closed with 1000, unless it is closed
    ///     or ``LoopbackWebSocket/cut()`` was called. An error thrown out of it ends the connection.
    /// - Precondition: `path` begins with a slash.
    public func handleWebSocket(
        _ path: String,
        subprotocols: [String] = [],
        _ handler: @escaping @Sendable (LoopbackWebSocket) throws -> Void
    ) {
        handle("GET", path) { request in .webSocket(for: request, subprotocols: subprotocols, handler) }
    }
}

extension LoopbackReply {
    /// Opens a WebSocket, for handlers that look at the request first. A request that asks for none is answered with 426.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - subprotocols: Those that the server speaks. Of those that the client offers the first of them is chosen.
    ///   - maximumMessageSize: How large a message of the client can be, in bytes; 64 MiB unless told otherwise.
    ///   - handler: Runs on the thread of the connection, see ``LoopbackServer/handleWebSocket(_:subprotocols:_:)``.
    /// - Returns: The reply.
    public static func webSocket(
        for request: LoopbackRequest,
        subprotocols: [String] = [],
        maximumMessageSize: Int = 64 << 20,
        _ handler: @escaping @Sendable (LoopbackWebSocket) throws -> Void
    ) -> LoopbackReply {
        let headers = HTTPHeaders(request.headers.map { HTTPField(name: HTTPFieldName($0.name), value: $0.value) })
        let asks = WebSocketHandshake.tokens(of: .upgrade, in: headers).contains { $0.lowercased() == "websocket" }
        guard asks, let key = headers[.secWebSocketKey], headers[.secWebSocketVersion] == WebSocketHandshake.version
        else {
            return .status(426, headers: ["Upgrade": "websocket", "Sec-WebSocket-Version": WebSocketHandshake.version])
        }
        let offered = WebSocketHandshake.tokens(of: .secWebSocketProtocol, in: headers)
        let chosen = subprotocols.first(where: offered.contains)
        var head = LoopbackReply([
            .head(
                101,
                headers: [
                    "Upgrade": "websocket", "Connection": "Upgrade",
                    "Sec-WebSocket-Accept": WebSocketHandshake.accept(for: key),
                ]
            )
        ])
        if let chosen { head = head.withHeader("Sec-WebSocket-Protocol", chosen) }
        return head.then(
            .converse { stream in
                let socket = LoopbackWebSocket(
                    stream,
                    request: request,
                    subprotocol: chosen,
                    maximumMessageSize: maximumMessageSize
                )
                try handler(socket)
                try socket.finish()
            },
            .close
        )
    }
}
