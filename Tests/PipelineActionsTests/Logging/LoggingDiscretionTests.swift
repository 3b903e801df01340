import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// What a log keeps to itself, and what it tells unasked.
@Suite(.timeLimit(.minutes(3)))
struct LoggingDiscretionTests: LoggingSuite {
    let stage = LoggingStage()

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
        async let numbers = network.send(AskForNumbers())
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
}
