import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CookieActionTests {
    let jar = CookieJar()
    let clock = ManualClock()
    let log = EventLog()
    let api = URL(string: "https://api.test/v1/a")!

    func network(_ transport: any Transport, _ others: any Action...) -> Network {
        Network(
            actions: others + [.cookies(jar)],
            transport: transport,
            configuration: .init(time: clock, monitors: [CookieMonitor(log: log)])
        )
    }

    func sentCookies(_ server: ScriptedTransport) -> [String?] { server.requests.map { $0.headers[.cookie] } }

    @Test func `sends back what a server has set, with the network's time`() async throws {
        let headers: HTTPHeaders = [
            .setCookie: "a=1; Max-Age=60; Path=/", "set-cookie": "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
        ]
        let server = ScriptedTransport([.status(200, headers: headers), .status(200), .status(200)])
        let network = network(server)
        _ = try await network.send(NetworkRequest(url: api))
        _ = try await network.send(NetworkRequest(url: api))
        clock.advance(by: .seconds(60))
        _ = try await network.send(NetworkRequest(url: api))

        #expect(sentCookies(server) == [nil, "b=2; a=1", "b=2"])
        #expect(
            log.lines == ["stored a of api.test", "stored b of api.test", "sent b, a", "sent b"]
        )
    }

    @Test(arguments: [302, 401, 404, 500])
    func `stores the cookies of every status`(status: Int) async throws {
        let server = ScriptedTransport([.status(HTTPStatus(status), headers: [.setCookie: "a=1"])])
        _ = await network(server).result(of: NetworkRequest(url: api))
        #expect(jar.cookies().map(\.name) == ["a"])
    }

    @Test func `the field is made anew for each attempt, from what the last answer set`() async throws {
        let server = ScriptedTransport([
            .status(503, headers: [.setCookie: "a=1"]), .status(503, headers: [.setCookie: "a=2"]), .status(200),
        ])
        _ = try await network(server, RetryTwice()).send(NetworkRequest(url: api))
        #expect(sentCookies(server) == [nil, "a=1", "a=2"])
    }

    @Test func `answers that an action further in retries are stored too`() async throws {
        let server = ScriptedTransport([.status(503, headers: [.setCookie: "a=1"]), .status(200)])
        let network = Network(actions: [.cookies(jar), RetryTwice()], transport: server)
        _ = try await network.send(NetworkRequest(url: api))
        #expect(jar.cookies().map(\.name) == ["a"])
    }

    @Test func `cookies of one host do not go to another, and come back when the send does`() async throws {
        let server = ScriptedTransport([
            .status(302, headers: [.setCookie: "a=1; Path=/", .location: "https://other.test/"]),
            .status(
                302,
                headers: [.setCookie: "b=2", "Set-Cookie": "c=3; Domain=api.test", .location: "https://api.test/"]
            ),
            .status(200),
        ])
        _ = try await network(server).send(NetworkRequest(url: api))
        #expect(sentCookies(server) == [nil, nil, "a=1"])
        #expect(jar.cookies().map { "\($0.name) \($0.domain)" } == ["a api.test", "b other.test"])
    }

    @Test func `the request's own cookies go first and in the place of the jar's`() async throws {
        jar.store(["a=jar", "b=jar"], from: api)
        let server = ScriptedTransport([.status(200), .redirect(to: "https://other.test/"), .status(200)])
        var request = NetworkRequest(url: api, headers: [.cookie: "b=own; c=own"])
        _ = try await network(server).send(request)
        jar.store(["d=other"], from: URL(string: "https://other.test/")!)
        request.url = URL(string: "https://api.test/v1/b")!
        _ = try await network(server).send(request)
        #expect(sentCookies(server) == ["b=own; c=own; a=jar", "b=own; c=own; a=jar", "d=other"])
        #expect(server.requests.allSatisfy { $0.headers.values(of: .cookie).count == 1 })
    }

    @Test func `a request can stay out of it`() async throws {
        jar.store(["a=1"], from: api)
        let server = ScriptedTransport([
            .status(200, headers: [.setCookie: "b=2"]), .status(200, headers: [.setCookie: "b=2"]),
        ])
        var request = NetworkRequest(url: api)
        request.usesCookies = false
        _ = try await network(server).send(request)
        _ = try await network(server).send(NetworkRequest(url: api, customProperties: ["usesCookies": false]))
        #expect(sentCookies(server) == [nil, nil])
        #expect(jar.cookies().map(\.name) == ["a"])
    }

    @Test func `the option has a type`() async throws {
        let request = NetworkRequest(url: api, customProperties: ["usesCookies": "no"])
        let error = await #expect(throws: NetworkError.self) { try await network(ScriptedTransport([])).send(request) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `cookies are written when the response is there, and trouble with that fails nothing`() async throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(folder.file("later/cookies.json"))
        let jar = try CookieJar(file: file)
        let answer = ScriptedTransport.Answer.status(200, headers: [.setCookie: "a=canary; Max-Age=600"])
        let network = Network(
            actions: [.cookies(jar)],
            transport: ScriptedTransport([answer, answer]),
            configuration: .init(time: clock, monitors: [CookieMonitor(log: log)])
        )
        _ = try await network.send(NetworkRequest(url: api))
        #expect(log.lines.last?.hasPrefix("the cookies could not be saved: file-failed") == true)

        try FileManager.default.createDirectory(at: folder.file("later"), withIntermediateDirectories: false)
        _ = try await network.send(NetworkRequest(url: api))
        #expect(try CookieJar(file: file).cookies(at: clock.date).map(\.value) == ["canary"])
        #expect(!log.lines.joined().contains("canary"))
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { CookieAction() } == [])
    }

    // MARK: Over sockets

    /// A case from the field: the cookie of a login that answers with a redirect is lost, or another host's is taken.
    @Test func `a login by redirect, over sockets, keeps each host's cookies for that host`() async throws {
        let one = try LoopbackServer()
        let other = try LoopbackServer()
        let otherURL = "http://localhost:\(other.port)"
        let oneURL = one.url
        one.handle("POST", "/login") { _ in
            .redirect(to: "/next", headers: ["Set-Cookie": "s=1; Path=/", "set-cookie": "t=2"])
        }
        one.handle("GET", "/next") { _ in .redirect(to: otherURL + "/landing") }
        one.handle("GET", "/home") { _ in .text("welcome") }
        other.handle("GET", "/landing") { _ in
            .redirect(
                to: oneURL.absoluteString + "/home",
                headers: ["Set-Cookie": "evil=1; Domain=127.0.0.1", "SET-COOKIE": "own=3; Path=/"]
            )
        }
        other.handle("GET", "/again") { _ in .text("hello") }

        let network = Network(actions: [.cookies(jar)], transport: CurlTransport())
        let login = NetworkRequest(method: .post, url: one.url("/login"), body: .text("me"))
        #expect(try await network.send(login).body.data == Data("welcome".utf8))
        _ = try await network.send(NetworkRequest(url: URL(string: otherURL + "/again")!))

        #expect(one.requests.map { $0.values(of: "Cookie") } == [[], ["s=1; t=2"], ["s=1; t=2"]])
        #expect(other.requests.map { $0.values(of: "Cookie") } == [[], ["own=3"]])
    }
}

/// Asks for two retries.
private struct RetryTwice: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 && request.pass < 3 ? .retry(after: .zero) : .deliver(response)
    }
}

/// Writes down the notes of cookies.
private struct CookieMonitor: EventMonitor {
    let log: EventLog

    func record(_ event: SendEvent) {
        if case .note(_, let note as CookieNote) = event.kind { log.append("\(note)") }
    }
}
