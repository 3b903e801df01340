import Foundation
import Pipeline
import PipelineTesting

/// A room in which everybody hears themselves, on a real socket. `/restart` is the end of the server.
final class ChatServer: Sendable {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.handleWebSocket("/rooms/:room") { socket in
            let name = socket.request.first(of: "X-Name") ?? "somebody"
            try socket.send(.text("\(name) came into \(socket.request.parameters["room"] ?? "")"))
            while case .text(let line) = try socket.receive() {
                if line == "/restart" { return socket.cut() }
                try socket.send(.text("\(name): \(line)"))
            }
        }
    }

    var url: URL { server.url }
}
