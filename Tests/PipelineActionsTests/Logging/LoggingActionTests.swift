import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoggingActionTests {
    let log = EventLog()
    let clock = ManualClock()
    let logging: LoggingAction

    init() {
        logging = LoggingAction { [log] in log.append($0) }
    }

    func network(_ transport: any Transport, _ others: any Action...) -> Network {
        Network(
            baseURL: URL(string: "https://api.test")!,
            actions: [logging] + others,
            transport: transport,
            configuration: .init(time: clock)
        )
    }

    func action(_ level: LoggingAction.Level, zone: ActionZone = .send, bodyLimit: Int = 16_384) -> LoggingAction {
        let sink = ClosureSink(format: LineFormat.plain) { [log] in log.append($0) }
        return LoggingAction(level, logger: Logger(sinks: [sink]), zone: zone, bodyLimit: bodyLimit)
    }

    /// The lines that an action has written, with the number of the send taken out.
    func lines(of action: LoggingAction? = nil) async -> [String] {
        await (action ?? logging).logger.flush()
        return log.lines.map { entry in
            entry.replacing(/^(\S+) \d+(\.\d+)?/) { "\($0.output.1)\($0.output.2 ?? "")" }
        }
    }

    struct Ask: Request {
        typealias Response = [Int]

        func buildRequest(with baseURL: URL) throws -> NetworkRequest {
            NetworkRequest(url: try baseURL.joining("numbers").appending(query: ["page": 2, "key": "zq9"]))
        }
    }

    // MARK: Secrets

    @Test(arguments: [LoggingAction.Level.error, .info, .verbose], [ActionZone.send, .hop])
    func `what a request calls a secret of its query shows nowhere`(
        level: LoggingAction.Level,
        zone: ActionZone
    ) async throws {
        let action = action(level, zone: zone)
        let server = ScriptedTransport([
            .status(302, headers: ["Location": "/b?customer=zq9&x=1", "X-Url": "/c?customer=zq9"]),
            .status(302, headers: ["Location": "/b?appid=zq9&x=1"]),
            .status(500, headers: ["Content-Location": "/b?appid=zq9&customer=zq9"]),
        ])
        let network = Network(
            baseURL: URL(string: "https://api.test")!,
            actions: [action, .apiKey("zq9", in: .query("appid"))],
            transport: server
        )
        var request = NetworkRequest(
            url: URL(string: "https://api.test/a?customer=zq9&visible=1")!,
            headers: ["Referer": "https://api.test/?customer=zq9"]
        )
        request.secretQueryNames = ["customer"]
        let result = await network.result(of: request)

        let written = await lines(of: action).joined(separator: "\n")
        #expect(!written.contains("zq9"), "\(written)")
        // A status is no failure of an attempt.
        #expect(written.contains("500") || level == .error && zone == .hop)
        let error = #expect(throws: NetworkError.self) { try result.get() }
        let sent = try #require(error?.response?.request)
        #expect(sent.url.query?.contains("zq9") == true)
        #expect(!CURLCommand(sent).description.contains("zq9"))
        #expect(!CURLCommand(request).description.contains("zq9"))
    }

    @Test func `a dump in the middle of a send shows no secret`() async throws {
        let server = ConversationTransport()
        let network = network(server)
        async let numbers = network.send(Ask())
        let exchange = await server.nextExchange()
        var dumped = ""
        dump(logging, to: &dumped)
        dump(network, to: &dumped)
        exchange.respond(body: "[1]")
        _ = try await numbers
        #expect(!dumped.contains("zq9"))
    }

    @Test func `pins that are only reported as missing are told`() async throws {
        struct Reporting: Transport {
            var capabilities: TransportCapabilities { [.pinning] }

            func send(_ request: NetworkRequest) async throws -> NetworkResponse {
                for isRefused in [false, true] {
                    let violation = PinViolation(host: "api.test", reason: .unlisted, isRefused: isRefused)
                    request.context.report(.pinViolation(violation))
                }
                return NetworkResponse(status: .noContent, request: request)
            }

            func shutdown() async {}
        }
        logging.level = .error
        _ = try await network(Reporting()).send(NetworkRequest(url: URL(string: "https://api.test/")!))
        #expect(
            await lines() == ["! api.test has no pins, and hosts without any are not wanted; it is only reported"]
        )
    }

    @Test func `a request that goes without pins is told`() async throws {
        let server = ScriptedTransport { NetworkResponse(status: .noContent, request: $0) }
        var request = NetworkRequest(url: URL(string: "https://api.test/")!)
        request.ignoresPinning = true
        _ = try await network(server, PinningAction(PinningPolicy([]))).send(request)
        #expect(
            await lines() == [
                "! PinningAction: the pins of api.test are ignored, as the request asks",
                "← GET https://api.test/ 204 No Content, 0 ms, 1 attempt, 0 bytes",
            ]
        )
    }

    // MARK: Levels

    @Test func `a line for a send`() async throws {
        let server = ConversationTransport()
        async let numbers = network(server).send(Ask())
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
        for _ in 0..<5 { _ = await network(server).result(of: Ask()) }

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
            async let result = network.result(of: Ask())
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
        async let first = network.send(Ask())
        let exchange = await server.nextExchange()
        copy.level = .info  // In the middle of a send.
        #expect(logging.level == .info)
        exchange.respond(body: "[1]")
        _ = try await first
        logging.level = .off
        async let second = network.send(Ask())
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
                group.addTask { for _ in 0..<50 { _ = await network.result(of: Ask()) } }
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

    // MARK: Verbose

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

    @Test func `waits for the network`() async throws {
        let action = action(.verbose)
        let source = ManualPathSource(.unsatisfied)
        let watch = WaitWatch()
        var configuration = NetworkConfiguration(time: clock, monitors: [watch])
        configuration.networkMonitor = NetworkMonitor(source: source)
        configuration.offlinePolicy = .wait
        let network = Network(
            actions: [action],
            transport: RoutedTransport(ScriptedTransport([.status(204)])),
            configuration: configuration
        )
        async let response = network.send(NetworkRequest(url: URL(string: "http://198.51.100.1")!))
        await watch.untilWaiting()
        source.report(.satisfied)
        _ = try await response

        let line = "… waits for the network, which is unsatisfied"
        #expect(await lines(of: action).map { String($0.split(separator: "\n")[0]) }.contains(line))
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
