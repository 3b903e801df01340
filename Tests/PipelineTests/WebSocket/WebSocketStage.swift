#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting

    /// A server with a WebSocket that sends back what it gets, and a network that goes there.
    struct WebSocketStage {
        let server: LoopbackServer
        let transport = CurlTransport()

        init() throws {
            server = try LoopbackServer()
            server.handleWebSocket("/echo") { socket in
                while let message = try socket.receive() { try socket.send(message) }
            }
        }

        /// The clock stands unless told otherwise, so that no time limit strikes on a machine that is busy.
        func network(_ time: any TimeSource = ManualClock(), _ actions: [any Action] = []) -> Network {
            Network(
                baseURL: server.url,
                actions: actions,
                transport: transport,
                configuration: NetworkConfiguration(time: time)
            )
        }

        /// Has the server agree to be a WebSocket at a path, and then read nothing and say nothing.
        func standDeaf(at path: String) {
            server.handle("GET", "/\(path)") { request in
                let reply = LoopbackReply.webSocket(for: request) { _ in }
                return LoopbackReply([reply.steps[0], .wait(LoopbackGate())])
            }
        }

        func url(_ path: String) -> URL {
            guard let url = URL(string: "ws://127.0.0.1:\(server.port)/\(path)") else { preconditionFailure(path) }
            return url
        }

        func socket(_ path: String, _ configuration: WebSocketConfiguration = .init()) -> WebSocket {
            network().webSocket(url(path), configuration: configuration)
        }
    }
#endif

import Pipeline

extension WebSocketState {
    /// The state in short.
    var name: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .open(let subprotocol): subprotocol.map { "open \($0)" } ?? "open"
        case .waiting(let close, _, let pause): "waiting \(close.code) \(pause)"
        case .closed(let close, let error): "closed \(close.code)" + (error.map { " \($0.code)" } ?? "")
        }
    }
}
