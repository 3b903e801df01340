public import Foundation

extension Network {
    /// Makes a WebSocket from a URL.
    ///
    ///     let socket = network.webSocket(URL(string: "wss://api.example.com/chat")!)
    ///
    /// - Parameters:
    ///   - url: Where to connect to: `ws` or `wss`; `http` and `https` mean the same. Actions see `http` and `https`.
    ///   - configuration: How it is opened, kept and closed.
    public func webSocket(
        _ url: URL,
        configuration: WebSocketConfiguration = WebSocketConfiguration()
    ) -> WebSocket {
        webSocket(NetworkRequest(url: url), configuration: configuration)
    }

    /// Makes a WebSocket from a request.
    ///
    /// The request says where to connect to, and with which header fields, properties, actions, TLS policy, redirect policy and
    /// time limits. It is a GET without a body; its response is not decoded. It is built for each connection anew, and runs
    /// through all actions each time. The total time limit ends with the handshake, as the idle limit does; after that
    /// pings tell whether the connection lives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - configuration: How the WebSocket is opened, kept and closed.
    public func webSocket(
        _ request: some Request,
        configuration: WebSocketConfiguration = WebSocketConfiguration()
    ) -> WebSocket {
        let subprotocols = configuration.subprotocols
        return WebSocket(
            WebSocketCore(network: self, configuration: configuration) { noteTag in
                WebSocketRequest(base: request, subprotocols: subprotocols, noteTag: noteTag)
            }
        )
    }
}
