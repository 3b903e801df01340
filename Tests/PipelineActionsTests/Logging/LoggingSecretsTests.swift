import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Secrets wherever one can be, over real sockets, with everything logged.
@Suite(.timeLimit(.minutes(3)))
struct LoggingSecretsTests {
    static let places = [
        "authorization", "cookie", "query", "userinfo", "json", "nested", "form", "location", "fragment", "setCookie",
        "marked", "proxyAuthorization", "property", "cause", "challenge", "errorBody", "xml", "note", "apiKey",
        "multipart",
        "token", "trailer",
    ]

    /// What is planted in a place: different for each, and found by its beginning even if it were cut.
    static func canary(_ place: String) -> String { "zq9\(place)9qz" }

    private struct Denial: Error {
        let secret = canary("cause")
    }

    private enum Customer: CustomPropertyKey {
        static let name = "customer"
        static let defaultValue = ""
    }

    /// Fails with a cause that holds a secret.
    private struct FailingAction: RequestWillBeginAction {
        func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
            request.context.report(.note(action: "FailingAction", "token=\(canary("note"))"))
            guard request.url.path != "/fails" else { throw Denial() }
            return .proceed(request)
        }
    }

    private struct Login: Encodable, Sendable {
        struct Inner: Encodable, Sendable {
            var password = canary("nested")
            var list = [["refresh_token": canary("json")]]
            var text = "{\"secret\":\"\(canary("json"))\"}"
        }

        var user = "visible"
        var inner = Inner()
    }

    private func request(_ server: LoopbackServer, _ path: String, body: RequestBody) -> NetworkRequest {
        var components = URLComponents(url: server.url(path), resolvingAgainstBaseURL: false)!
        if path == "/refused" {
            components.user = Self.canary("userinfo")
            components.password = Self.canary("userinfo")
        }
        components.query = "page=2&access_token=\(Self.canary("query"))&q=visible"
        components.fragment = "access_token=\(Self.canary("fragment"))"
        var request = NetworkRequest(method: .post, url: components.url!, body: body)
        request.headers = [
            .authorization: "Bearer \(Self.canary("authorization"))",
            .cookie: "id=\(Self.canary("cookie")); other=\(Self.canary("cookie"))",
            .proxyAuthorization: "Basic \(Self.canary("proxyAuthorization"))",
            "X-API-Key": Self.canary("apiKey"),
            "X-Plain": "visible",
            "X-Link": "https://a:\(Self.canary("userinfo"))@b.test/?token=\(Self.canary("query"))",
        ]
        request.headers.setSensitive(Self.canary("marked"), for: "X-Marked")
        request.customProperties[Customer.self] = Self.canary("property")
        return request
    }

    private func serve(_ server: LoopbackServer) {
        let setCookie = "sid=\(Self.canary("setCookie")); Path=/; HttpOnly"
        server.handle("POST", "/login") { _ in
            .json(
                #"{"visible": 1, "access_token": "\#(Self.canary("token"))", "a": {"password": ["\#(Self.canary("nested"))"]}}"#,
                headers: ["Set-Cookie": setCookie, "WWW-Authenticate": "Negotiate \(Self.canary("challenge"))=="]
            )
        }
        server.handle("POST", "/redirect") { _ in
            let secret = Self.canary("location")
            return .redirect(
                to: "/login?code=\(secret)&visible=1#access_token=\(secret)",
                status: 307,
                headers: ["Set-Cookie": setCookie]
            )
        }
        server.handle("POST", "/denied") { _ in
            .json(#"{"message": "visible", "session": "\#(Self.canary("errorBody"))"}"#, status: 403)
        }
        server.handle("POST", "/xml") { _ in
            .text(
                "<a><visible/><password>\(Self.canary("xml"))</password></a>",
                headers: ["X-Refresh-Token": Self.canary("token")]
            )
        }
        server.handle("POST", "/trailer") { _ in
            .chunked(["visible"], trailers: ["X-Auth-Token": Self.canary("trailer")])
        }
    }

    @Test(arguments: [LoggingAction.Level.error, .info, .verbose], [ActionZone.send, .hop])
    func `no secret shows in anything that is written`(level: LoggingAction.Level, zone: ActionZone) async throws {
        let server = try LoopbackServer()
        serve(server)
        let log = EventLog()
        let logger = Logger(sinks: [
            ClosureSink(format: LineFormat.stamped) { log.append($0) },
            ClosureSink(format: JSONLinesFormat()) { log.append($0) },
            ClosureSink { entry in
                var dumped = ""
                dump(entry, to: &dumped)
                log.append("\(entry) \(String(reflecting: entry)) \(dumped)")
            },
        ])
        let action = LoggingAction(level, logger: logger, zone: zone)
        let network = Network(baseURL: server.url, actions: [action, FailingAction()])
        let json = try JSONEncoder().encode(Login())
        let bodies: [RequestBody] = [
            .bytes(json, contentType: "application/json"),
            .text("a=visible&password=\(Self.canary("form"))", contentType: "application/x-www-form-urlencoded"),
            .text(
                "--b\r\nContent-Disposition: form-data; name=\"visible\"\r\n\r\n\(Self.canary("multipart"))\r\n--b--\r\n",
                contentType: "multipart/form-data; boundary=b"
            ),
            // Cut off by the limit of bodies in the middle of a secret.
            .text(
                "{\"password\":\"" + String(repeating: Self.canary("json"), count: 5_000) + "\"}",
                contentType: "text/plain"
            ),
        ]
        for path in ["/login", "/redirect", "/denied", "/xml", "/trailer", "/fails", "/unknown", "/refused"] {
            for body in bodies {
                let request = request(server, path, body: body)
                log.append(CURLCommand(request).description)
                let result = await network.result(of: DecodedRequest(request: request))
                if case .failure(let error) = result {
                    var dumped = ""
                    dump(error, to: &dumped)
                    log.append("\(error) \(error.localizedDescription) \(String(reflecting: error)) \(dumped)")
                }
            }
        }
        await logger.flush()

        let written = log.lines.joined(separator: "\n")
        if written.contains("zq9") {  // How all of them begin: found also where their ends were cut off.
            let shown = Self.places.filter { written.contains(Self.canary($0).prefix(5)) }
            Issue.record("secrets show, those in \(shown)")
        }
        if level == .verbose {
            for visible in [
                "X-Plain: visible", "page=2", "q=visible", "visible=1", "part \"visible\"", "sid=<redacted>; Path=/",
            ] {
                #expect(written.contains(visible), "\(visible) is missing")
            }
        }
        // The secrets were really sent, all of them that go over the wire.
        let received = server.requests.map { "\($0.target) \($0.headers) \(String(decoding: $0.body, as: UTF8.self))" }
            .joined()
        for place in [
            "authorization", "cookie", "query", "json", "nested", "form", "location", "marked", "apiKey", "multipart",
        ] {
            #expect(received.contains(Self.canary(place)), "\(place) was not sent")
        }
    }

    /// Fails to decode whatever comes.
    private struct DecodedRequest: Request {
        struct Response: Decodable, Sendable {
            let missing: Int
        }

        let request: NetworkRequest

        func buildRequest(with baseURL: URL) throws -> NetworkRequest { request }
    }
}
