import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Every action that holds a secret, in one chain, with everything logged twice, over real sockets (S2).
@Suite(.timeLimit(.minutes(3)))
struct SecrecyOfAllActionsTests {
    private static let canary = "zq9canary"

    private static func secret(_ place: String) -> String { "\(canary)-\(place)" }

    private let server: LoopbackServer
    private let log = EventLog()
    private let monitor = RecordingMonitor()
    private let loggers: [LoggingAction]

    init() throws {
        server = try LoopbackServer()
        let log = log
        loggers = [ActionZone.send, .hop].map { zone in
            let sinks: [any LogSink] = [
                ClosureSink(format: LineFormat.plain) { log.append($0) },
                ClosureSink(format: JSONLinesFormat()) { log.append($0) },
            ]
            return LoggingAction(.verbose, logger: Logger(sinks: sinks), zone: zone)
        }
    }

    private func shown(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    private func network(_ credential: any Action) -> Network {
        let signing = SigningAction { message in
            var request = message.request
            request.headers.setSensitive(Self.secret("signature"), for: "X-Signature")
            return request
        }
        let actions: [any Action] = [
            loggers[0], RequestIDAction(), IdempotencyKeyAction(), credential,
            .apiKey(Self.secret("query-key"), in: .query("k")),
            .apiKey(Self.secret("header-key"), in: .header("X-K")),
            .retry(RetryPolicy.standard), .cookies(), TraceContextAction(), signing, loggers[1],
        ]
        return Network(
            baseURL: server.url,
            actions: actions,
            configuration: .init(time: SystemTime.shared, monitors: [monitor])
        )
    }

    private func check(_ network: Network, _ path: String) async throws {
        let request = NetworkRequest(method: .put, url: server.url(path), body: .text("visible"))
        let result = await network.result(of: request)
        for logger in loggers { await logger.logger.flush() }
        var all = log.lines.joined(separator: "\n") + shown(network.actions)
        switch result {
        case .success(let response): all += shown(response) + "\(CURLCommand(response.request))"
        case .failure(let error):
            all += shown(error) + shown(error.underlying as Any)
            if let sent = error.response?.request { all += "\(CURLCommand(sent))" }
        }
        for event in monitor.events {
            all += shown(event)
            if case .note(_, let note) = event.kind { all += shown(note) }
        }
        let found = all.components(separatedBy: Self.canary).first?.suffix(300) ?? ""
        #expect(!all.contains(Self.canary), "\(found)")
        #expect(all.contains("<redacted>"))
    }

    @Test(arguments: ["/works", "/fails", "/moves", "/gone"])
    func `no secret of any action is told`(path: String) async throws {
        let cookie = "id=\(Self.secret("cookie"))"
        let elsewhere = "/works?token=\(Self.secret("location"))"
        server.handle("PUT", "/works") { _ in .status(200, headers: ["Set-Cookie": cookie], body: "visible") }
        server.handle("PUT", "/fails") { _ in .status(500, headers: ["Set-Cookie": cookie, "Retry-After": "0"]) }
        server.handle("PUT", "/moves") { _ in .status(307, headers: ["Set-Cookie": cookie, "Location": elsewhere]) }
        server.handle("PUT", "/gone") { _ in [.close] }

        let bearer = BearerTokenAction(
            TokenVault(AccessToken(Self.secret("token"), refreshToken: Self.secret("renewal")))
        )
        try await check(network(bearer), path)
        let basic = try BasicAuthenticationAction(user: Self.secret("user"), password: Self.secret("password"))
        try await check(network(basic), path)

        // The canaries were there.
        let sent = server.requests.map { "\($0.target) \($0.headers)" }.joined()
        for place in ["query-key", "header-key", "token", "signature"] {
            #expect(sent.contains(Self.secret(place)), "\(place)")
        }
    }

    @Test func `a password that digest authentication uses is not told`() async throws {
        server.handle("PUT", "/") { request in
            guard request.first(of: "Authorization") != nil else {
                return .status(401, headers: ["WWW-Authenticate": #"Digest realm="r", nonce="n", qop="auth""#])
            }
            return .status(200, body: "visible")
        }
        let credential = try PasswordCredential(user: Self.secret("user"), password: Self.secret("password"))
        try await check(network(DigestAuthenticationAction(credential)), "/")
        #expect(server.requests.count == 2)
    }
}
