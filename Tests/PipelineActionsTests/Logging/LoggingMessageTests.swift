import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// What stands in a verbose log, and in one of attempts.
@Suite(.timeLimit(.minutes(3)))
struct LoggingMessageTests: LoggingSuite {
    let stage = LoggingStage()

    @Test func `whole messages, laid out`() async throws {
        let action = action(.verbose)
        let network = Network(
            actions: [action, DefaultHeadersAction(["Accept": "application/json"])],
            transport: ScriptedTransport([.json(#"{"id":7,"token":"zq9"}"#)]),
            configuration: .init(time: clock)
        )
        _ = try await network.send(
            NetworkRequest(
                method: .post,
                url: URL(string: "https://api.test/login")!,
                body: .text(#"{"user":"ada","password":"zq9"}"#, contentType: "application/json")
            )
        )
        #expect(
            await lines(of: action) == [
                """
                → POST https://api.test/login
                    Content-Type: application/json
                    Accept: application/json

                    {
                      "user": "ada",
                      "password": "<redacted>"
                    }

                    curl --globoff --path-as-is --request POST --header 'Content-Type: application/json' \
                --header 'Accept: application/json' --data-raw '{"user":"ada","password":"<redacted>"}' \
                --url https://api.test/login
                """,
                """
                ← POST https://api.test/login 200 OK, 0 ms, 1 attempt, 22 bytes
                    Content-Type: application/json

                    {
                      "id": 7,
                      "token": "<redacted>"
                    }
                """,
            ]
        )
    }

    @Test func `retries, refusals, redirects and decisions`() async throws {
        let action = action(.verbose)
        let server = ConversationTransport()
        let network = Network(
            actions: [action, RetryOnce(), RetryForDays()],
            transport: server,
            configuration: .init(time: clock)
        )
        async let result = network.result(of: NetworkRequest(url: URL(string: "https://api.test")!))
        await server.nextExchange().respond(status: 307, headers: [.location: "/next?key=zq9"])
        await server.nextExchange().respond(status: 503)
        clock.advance(by: await clock.nextPause())
        await server.nextExchange().respond(status: 503)
        _ = await result

        let lines = await lines(of: action).map { $0.split(separator: "\n")[0] }
        let refused = "↻ RetryForDays was refused a retry: a pause of 172800.0 seconds would outlast the "
        #expect(
            lines.dropLast() == [
                "→ GET https://api.test",
                "↪ 307 to GET https://api.test/next?key=<redacted>",
                "→ attempt 2, GET https://api.test/next?key=<redacted>",
                "\(refused)300.0 seconds that are left of the total time limit",
                "· RetryOnce: busy, token=<redacted>",
                "↻ again after 2.0 seconds, says RetryOnce",
                "→ attempt 3, GET https://api.test/next?key=<redacted>",
                "\(refused)298.0 seconds that are left of the total time limit",
            ]
        )
        #expect(lines.last?.hasPrefix("✗ GET https://api.test unacceptable-status in status: status 503") == true)
        #expect(lines.last?.hasSuffix(", 2000 ms") == true)
    }

    @Test func `a wire log is about attempts`() async throws {
        let server = ScriptedTransport([.redirect(to: "/b"), .json("[1]")])
        for level in [LoggingAction.Level.info, .verbose] {
            let action = action(level, zone: .hop)
            let network = Network(
                actions: [action],
                transport: level == .info ? server : ScriptedTransport([.json("[1]")])
            )
            _ = try await network.send(NetworkRequest(url: URL(string: "https://api.test/a")!))
            await action.logger.flush()
        }
        let lines = await lines().map { $0.replacing(/, \d+ ms/, with: "") }
        #expect(
            lines.prefix(2) == [
                "←.1 GET https://api.test/a 302 Found, 0 bytes", "←.2 GET https://api.test/b 200 OK, 3 bytes",
            ]
        )
        #expect(
            lines.dropFirst(2).map { $0.split(separator: "\n")[0] } == [
                "→.1 GET https://api.test/a", "← 200 OK, the head is in", "←.1 GET https://api.test/a 200 OK, 3 bytes",
            ]
        )
    }

    @Test(arguments: [
        ("video/mp4", Data("\u{0}\u{0}\u{0}\u{18}ftypmp42".utf8), "<video/mp4, 12 bytes>"),
        ("text/plain", Data("\u{0}\u{0}\u{0}\u{18}ftypmp42".utf8), "<text/plain, 12 bytes>"),
        ("video/mp4", Data("plain text".utf8), "<video/mp4, 10 bytes>"),
        ("text/plain", Data([0xFF]), "<text/plain, 1 byte>"),
        ("application/json", Data("[1,{}]".utf8), "[\n      1,\n      {}\n    ]"),
        ("text/plain", Data("a\u{1B}[2J".utf8), "a\\u{1B}[2J"),
        (
            "text/plain", Data(String(repeating: "x", count: 41).utf8),
            String(repeating: "x", count: 40) + "\n    … of 41 bytes in all"
        ),
        ("application/x-www-form-urlencoded", Data("a=1&password=zq9".utf8), "a=1&password=<redacted>"),
    ])
    func `bodies are shown as far as they are text`(type: String, body: Data, expected: String) async {
        let action = action(.verbose, bodyLimit: 40)
        let server = ScriptedTransport {
            NetworkResponse(status: 200, headers: [.contentType: type], body: .bytes(body), request: $0)
        }
        let network = Network(actions: [action], transport: server)
        _ = await network.result(of: NetworkRequest(url: URL(string: "https://api.test/a")!))
        #expect(await lines(of: action).last?.hasSuffix("    Content-Type: \(type)\n\n    \(expected)") == true)
    }

    @Test func `of a multipart body the parts are named`() async {
        let action = action(.verbose)
        let network = Network(actions: [action], transport: ScriptedTransport([.status(204)]))
        let body = """
            --b\r\nContent-Disposition: form-data; name="password"\r\n\r\nzq9\r\n--b\r\n\
            Content-Disposition: form-data; filename="a.png"; name="photo"\r\nContent-Type: image/png\r\n\r\nzq9\r\n--b--\r\n
            """
        _ = await network.result(
            of: NetworkRequest(
                method: .post,
                url: URL(string: "https://api.test/a")!,
                body: .text(body, contentType: "multipart/form-data; boundary=\"b\"")
            )
        )
        let line = await lines(of: action)[0]
        let size = body.utf8.count
        #expect(
            line.contains(
                "    <multipart/form-data; boundary=\"b\", \(size) bytes>\n    part \"password\"\n    part \"photo\", \"a.png\", image/png\n"
            )
        )
        #expect(!line.contains("zq9"))
    }
}

private struct RetryOnce: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        guard response.status == 503, request.pass == 1 else { return .deliver(response) }
        request.context.report(.note(action: "RetryOnce", "busy, token=zq9"))
        return .retry(after: .seconds(2))
    }
}

private struct RetryForDays: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 ? .retry(after: .seconds(172_800)) : .deliver(response)
    }
}
