import Foundation
import Pipeline
import PipelineActions

/// A chat over a WebSocket that survives the end of its server: `swift run Chat`.
///
/// It compares what was said with what should have been. Any difference ends it with status 1.
@main
struct Chat {
    static let expected = [
        "Ada came into swift", "Ada: hello", "Ada came into swift", "Ada: still here?",
    ]

    static func main() async {
        do {
            let server = try ChatServer()
            let network = Network(baseURL: server.url, actions: [DefaultHeadersAction(["X-Name": "Ada"])])
            let lines = try await talk(in: network.webSocket(JoinRoom(name: "swift"), configuration: .reconnecting))
            for line in lines { print("  \(line)") }
            print(lines == expected ? "All as expected." : "Not as expected: \(expected)")
            exit(lines == expected ? 0 : 1)
        } catch {
            print("Chat failed: \(error)")
            exit(1)
        }
    }

    static func talk(in room: WebSocket) async throws -> [String] {
        var messages = room.messages.makeAsyncIterator()
        func hear() async throws -> String {
            guard case .text(let line) = try await messages.next() else { return "nothing" }
            return line
        }
        var lines = [try await hear()]
        try await room.send("hello")
        lines.append(try await hear())

        // The server goes down. The socket is opened anew, with the same handshake, and the reader only waits a little longer.
        try await room.send("/restart")
        lines.append(try await hear())
        try await room.send("still here?")
        lines.append(try await hear())

        print("A ping took \(try await room.ping())")
        await room.close(reason: "bye")
        print("Closed with \(room.closeCode.map { "\($0)" } ?? "nothing")")
        return lines
    }
}

/// The request that the handshake is.
struct JoinRoom: Request {
    typealias Response = Void
    let name: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("rooms").appending(segments: name))
    }
}

extension WebSocketConfiguration {
    /// Comes back at once after a connection that was lost, and does not give up.
    static var reconnecting: WebSocketConfiguration {
        var policy = ReconnectionPolicy()
        policy.bounds = .milliseconds(10)...(.seconds(10))
        policy.pause = .milliseconds(10)
        var configuration = WebSocketConfiguration()
        configuration.reconnection = policy
        return configuration
    }
}
