import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoggingActionTests {
    let log = EventLog()
    let clock = ManualClock()

    func network(_ transport: any Transport, _ others: any Action...) -> Network {
        Network(
            baseURL: URL(string: "https://api.test")!,
            actions: [LoggingAction { [log] in log.append($0) }] + others,
            transport: transport,
            configuration: .init(time: clock)
        )
    }

    /// The lines with the number of the send taken out.
    var lines: [String] {
        log.lines.map { line in
            var words = line.split(separator: " ")
            words.remove(at: 1)
            return words.joined(separator: " ")
        }
    }

    struct Ask: Request {
        typealias Response = [Int]

        func buildRequest(with baseURL: URL) throws -> NetworkRequest {
            NetworkRequest(url: try baseURL.joining("numbers").appending(query: ["key": "canary"]))
        }
    }

    @Test func `tells what was asked, what came of it and how long it took`() async throws {
        let server = ConversationTransport()
        async let numbers = network(server).send(Ask())
        let exchange = await server.nextExchange()
        clock.advance(by: .milliseconds(143))
        exchange.respond(body: "[1]")
        _ = try await numbers

        #expect(lines == ["→ GET https://api.test/numbers?…", "← 200 OK, 1 attempt, 143 ms"])
    }

    @Test func `tells failures after the chain too`() async throws {
        let server = ScriptedTransport([.status(500), .status(200), .json("canary"), .failure(NetworkError(.offline))])
        for _ in 0..<4 { _ = await network(server).result(of: Ask()) }

        let codes = lines.filter { $0.hasPrefix("✗") }.map { $0.split(separator: " ")[1] }
        #expect(codes == ["unacceptable-status", "empty-body", "decoding-failed", "offline"])
    }

    @Test func `tells retries, refusals and redirects`() async throws {
        let server = ConversationTransport()
        async let result = network(server, RetryOnce(), RetryForDays()).result(of: NetworkRequest(url: api))
        await server.nextExchange().respond(status: 307, headers: [.location: "/next?key=canary"])
        await server.nextExchange().respond(status: 503)
        clock.advance(by: await clock.nextPause())
        await server.nextExchange().respond(status: 503)
        _ = await result

        #expect(
            lines == [
                "→ GET https://api.test",
                "↪ 307 to GET https://api.test/next?…",
                "↻ RetryForDays asked for a retry, refused: a pause of 172800.0 seconds would outlast the 300.0 seconds that "
                    + "are left of the total time limit",
                "↻ again after 2.0 seconds, says RetryOnce",
                "↻ RetryForDays asked for a retry, refused: a pause of 172800.0 seconds would outlast the 298.0 seconds that "
                    + "are left of the total time limit",
                lines.last ?? "",
            ]
        )
    }

    @Test func `writes no secret`() async throws {
        var request = NetworkRequest(
            method: .post,
            url: URL(string: "https://canary:canary@api.test/a?key=canary#canary")!,
            headers: [.authorization: "canary", "X-Custom": "canary"],
            body: .text("canary")
        )
        request.headers.setSensitive("canary", for: "X-Mine")
        _ = await network(ScriptedTransport([.status(403, body: "canary")])).result(of: request)

        #expect(log.lines.count == 2)
        #expect(!log.lines.joined().contains("canary"))
    }

    private let api = URL(string: "https://api.test")!
}

private struct RetryOnce: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 && request.pass == 1 ? .retry(after: .seconds(2)) : .deliver(response)
    }
}

private struct RetryForDays: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 ? .retry(after: .seconds(172_800)) : .deliver(response)
    }
}
