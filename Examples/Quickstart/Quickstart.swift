import Foundation
import Pipeline
import PipelineActions
import PipelineTesting

/// The main job of the library on a server of its own: `swift run Quickstart`.
///
/// It sends six requests over real sockets, shows what comes of them, and then compares what the phases recorded and what
/// the server received with what should have happened. Any difference ends it with status 1.
@main
struct Quickstart {
    static let logging = LoggingAction { print("  \($0)") }

    static func main() async {
        do {
            let server = try TodoServer()
            let phases = PhaseLog()
            let network = Network(
                baseURL: server.url,
                actions: [
                    logging, phases, APIKeyAction(key: "demo-key"),
                    RetryAction(maxAttempts: 3),
                ]
            )
            try await run(on: network, and: server)
            await logging.logger.flush()
            let isAsExpected = Expectation.check(phases: phases.lines, server: server.log)
            print(isAsExpected ? "\nAll as expected." : "\nNot as expected.")
            exit(isAsExpected ? 0 : 1)
        } catch {
            print("Quickstart failed: \(error)")
            exit(1)
        }
    }

    static func run(on network: Network, and server: TodoServer) async throws {
        await heading("A typed GET")
        let todos = try await network.send(ListTodos())
        print("\(todos.count) todos, the first: \(todos[0].title)")

        await heading("A POST with a body")
        let saved = try await network.send(AddTodo(title: "Read the README"))
        print("saved as number \(saved.id)")

        await heading("An error with its reason")
        do {
            _ = try await network.send(GetTodo(id: 404))
        } catch {
            print(
                "\(error.code), status \(error.statusCode ?? 0), the server says: \(error.serverMessage ?? "nothing")"
            )
        }

        await heading("A send with a callback")
        let title = await withCheckedContinuation { continuation in
            network.send(GetTodo(id: 1)) { result in
                continuation.resume(returning: (try? result.get().title) ?? "nothing")
            }
        }
        print("called back on the main actor with: \(title)")

        await heading("A send that is cancelled")
        let slow = Task { try await network.send(GetSlowly()) }
        await server.untilSlowRequestArrived()
        slow.cancel()
        do {
            _ = try await slow.value
        } catch {
            print("ended with: \(error.networkError?.code.rawValue ?? "\(error)")")
        }

        await heading("A send that an action repeats after a 503")
        let reply = try await network.reply(to: GetFlaky())
        print("\(reply.value) after \(reply.attempts) attempts")
    }

    static func heading(_ text: String) async {
        await logging.logger.flush()  // The log has a queue of its own; its lines belong above the heading.
        print("\n\(text)\n\(String(repeating: "-", count: text.count))")
    }
}
