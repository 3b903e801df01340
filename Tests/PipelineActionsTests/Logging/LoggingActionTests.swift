import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoggingActionTests: LoggingSuite {
    let stage = LoggingStage()

    // MARK: Levels

    @Test func `a line for a send`() async throws {
        let server = ConversationTransport()
        async let numbers = network(server).send(AskForNumbers())
        let exchange = await server.nextExchange()
        clock.advance(by: .milliseconds(143))
        exchange.respond(body: "[1]")
        _ = try await numbers

        #expect(
            await lines() == [
                "← GET https://api.test/numbers?page=2&key=<redacted> 200 OK, 143 ms, 1 attempt, 3 bytes"
            ]
        )
    }

    @Test func `failures after the chain are there, with their reasons`() async throws {
        logging.level = .error
        let server = ScriptedTransport([
            .status(500), .status(200), .json(#"{"password": "zq9"}"#), .failure(NetworkError(.offline)), .json("[1]"),
        ])
        for _ in 0..<5 { _ = await network(server).result(of: AskForNumbers()) }

        let lines = await lines()
        #expect(lines.count == 4)
        let starts = [
            "unacceptable-status in status: status 500, ", "empty-body in decode: ", "decoding-failed in decode: ",
            "offline in transport: ",
        ]
        for (line, start) in zip(lines, starts) {
            #expect(line.hasPrefix("✗ GET https://api.test/numbers?page=2&key=<redacted> \(start)"))
            #expect(line.hasSuffix(", 0 ms, 1 attempt"))
        }
        #expect(!lines.joined().contains("zq9"))
    }

    @Test func `a request that cannot be built fails with its reason`() async {
        _ = await network(ScriptedTransport([])).result(
            of: NetworkRequest(url: URL(string: "ftp://api.test/a?key=zq9")!)
        )
        let lines = await lines()
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("✗ GET ftp://api.test/a?key=<redacted> invalid-request in build: "))
    }

    @Test func `a send that was called off is no failure`() async {
        for level in [LoggingAction.Level.error, .info] {
            logging.level = level
            let server = ConversationTransport()
            let network = network(server)
            async let result = network.result(of: AskForNumbers())
            _ = await server.nextExchange()
            network.cancelAll()
            _ = await result
        }
        let lines = await lines()
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("← GET https://api.test/numbers?page=2&key=<redacted> cancelled"))
    }

    @Test func `the level can be changed while the program runs, in any copy`() async throws {
        let server = ConversationTransport()
        let network = network(server)
        let copy = logging
        logging.level = .off
        async let first = network.send(AskForNumbers())
        let exchange = await server.nextExchange()
        copy.level = .info  // In the middle of a send.
        #expect(logging.level == .info)
        exchange.respond(body: "[1]")
        _ = try await first
        logging.level = .off
        async let second = network.send(AskForNumbers())
        await server.nextExchange().respond(body: "[1]")
        _ = try await second
        #expect(
            await lines() == ["← GET https://api.test/numbers?page=2&key=<redacted> 200 OK, 0 ms, 1 attempt, 3 bytes"]
        )
    }

    @Test func `many threads change the level while sends run`() async {
        let server = ScriptedTransport { NetworkResponse(status: 200, body: .bytes(Data("[1]".utf8)), request: $0) }
        let network = network(server)
        await withTaskGroup { group in
            for level in LoggingAction.Level.allCases {
                group.addTask { for _ in 0..<200 { logging.level = level } }
                group.addTask { for _ in 0..<50 { _ = await network.result(of: AskForNumbers()) } }
            }
        }
        await logging.logger.flush()
        #expect(logging.logger.losses == Logger.Losses())
    }

    @Test func `what the logger would leave out is not made`() async {
        let action = action(.verbose)
        action.logger.minimumLevel = .error
        let network = Network(actions: [action], transport: ScriptedTransport([.status(200), .status(500)]))
        for _ in 0..<2 { _ = await network.result(of: NetworkRequest(url: URL(string: "https://api.test")!)) }
        let lines = await lines(of: action)
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("✗ GET https://api.test unacceptable-status"))
        #expect(!lines[0].contains("\n"))
    }

    // MARK: Entries

    @Test func `entries carry values`() async throws {
        let kept = KeptEntries()
        let action = LoggingAction(logger: Logger(sinks: [ClosureSink { kept.append($0) }], time: clock))
        let network = Network(actions: [action], transport: ScriptedTransport([.json("[1]"), .status(404)]))
        let url = URL(string: "https://api.test/a?page=1")!
        let reply = try await network.reply(to: NetworkRequest(url: url))
        _ = await network.result(of: NetworkRequest(url: url))
        await action.logger.flush()

        let (first, second) = (kept.all[0], kept.all[1])
        #expect(first.level == .info && second.level == .error)
        #expect(first.send == reply.id && second.send != reply.id)
        #expect(first.date == clock.date)
        #expect(first["event"] == "send" && first["method"] == "GET" && first["url"] == "https://api.test/a?page=1")
        #expect(first["status"] == 200 && first["attempts"] == 1 && first["bytes"] == 3)
        #expect(second["status"] == 404 && second["error"] == "unacceptable-status" && second["step"] == "status")
    }

    @Test func `a network with logging has the action first`() {
        #expect(Network(logging: true).actions.map { ($0 as? LoggingAction)?.level } == [.info])
        #expect(Network(logging: false).actions.isEmpty)
        #expect(Network(logging: .verbose, actions: [DefaultHeadersAction([:])]).actions.first is LoggingAction)
        let actions: [any Action] = [.logging(.error)]
        #expect((actions[0] as? LoggingAction)?.level == .error)
    }

    @Test(arguments: [ActionZone.send, .hop])
    func `keeps the rules of actions`(zone: ActionZone) async {
        #expect(await ActionConformance.violations { action(.verbose, zone: zone) } == [])
    }
}

/// Entries that a sink has been given.
private final class KeptEntries: Sendable {
    private let kept = Locked<[LogEntry]>([])

    var all: [LogEntry] { kept.withLock { $0 } }

    func append(_ entry: LogEntry) { kept.withLock { $0.append(entry) } }
}
