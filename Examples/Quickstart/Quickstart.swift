import Foundation
import Pipeline
import PipelineActions
import PipelineTesting

/// The main job of the library on a server of its own: `swift run Quickstart`.
///
/// It sends requests over real sockets, shows what comes of them, and then compares what the phases recorded, what the server
/// received and what was logged with what should have happened. Any difference ends it with status 1.
@main
struct Quickstart {
    static let logged = EventLog()
    static let logging = LoggingAction { lines in
        logged.append(lines)
        print(lines.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
    }

    static func main() async {
        do {
            let server = try TodoServer()
            let (phases, tokens) = (PhaseLog(), TokenVault())
            var policy = BearerTokenPolicy()
            policy.requirement = .never  // Unless a request asks for a token.
            let network = Network(
                baseURL: server.url,
                actions: [
                    logging, phases,
                    .bearerToken(tokens, policy: policy) { refresh in
                        try await refresh.network.send(RenewToken(refreshToken: refresh.refreshToken))
                    },
                    .retry(maxAttempts: 3),
                ]
            )
            try await logIn(on: network, tokens)
            let isRenewedOnce = await readInboxes(on: network.removing(PhaseLog.self), and: server)
            try await useTodos(on: network, and: server)
            await logging.logger.flush()
            let isAsExpected = Expectation.check(phases: phases.lines, server: server.log, logged: logged.lines)
            print(isAsExpected && isRenewedOnce ? "\nAll as expected." : "\nNot as expected.")
            exit(isAsExpected && isRenewedOnce ? 0 : 1)
        } catch {
            print("Quickstart failed: \(error)")
            exit(1)
        }
    }

    static func logIn(on network: Network, _ tokens: TokenVault) async throws {
        await heading("A login, logged whole but for its secrets")
        logging.level = .verbose
        try await tokens.set(network.send(LogIn(name: "ada", password: "open sesame")))
        await logging.logger.flush()
        logging.level = .info
    }

    /// - Returns: Whether all had their answer, and the token was renewed once.
    static func readInboxes(on network: Network, and server: TodoServer) async -> Bool {
        await heading("Ten callers with a token that has expired")
        let answers = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<10 { group.addTask { try? await network.send(GetInbox()) } }
            return await group.reduce(into: [String]()) { answers, answer in answers += answer.map { [$0] } ?? [] }
        }
        await logging.logger.flush()
        print("\(answers.count) callers have their answer, after \(server.renewals) renewal of the token")
        return answers.count == 10 && server.renewals == 1
    }

    static func useTodos(on network: Network, and server: TodoServer) async throws {
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

        await heading("A send that is tried again when the server says so, a second later")
        let reply = try await network.reply(to: GetWhenReady())
        print("\(reply.value) after \(reply.attempts) attempts")
    }

    /// Begins a paragraph, when all that was logged so far is on the screen.
    static func heading(_ text: String) async {
        await logging.logger.flush()
        print("\n\(text)\n\(String(repeating: "-", count: text.count))")
    }
}
