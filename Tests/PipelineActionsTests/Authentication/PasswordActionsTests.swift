import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// What the actions have in common that attach a credential without being asked.
@Suite(.timeLimit(.minutes(3)))
struct PasswordActionsTests {
    let api = URL(string: "https://api.test/v1/a?b=c")!

    func network(_ transport: any Transport, _ actions: any Action..., at base: String = "https://api.test") -> Network
    {
        Network(baseURL: URL(string: base)!, actions: actions, transport: transport)
    }

    // MARK: Basic

    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),  // RFC 7617, section 2
        ("test", "123£", "Basic dGVzdDoxMjPCow=="),  // RFC 7617, section 2.1
        ("test", "e\u{301}", "Basic dGVzdDrDqQ=="), ("test", "\u{E9}", "Basic dGVzdDrDqQ=="),
        ("a", "b:c", "Basic YTpiOmM="), ("", "", "Basic Og=="),
    ])
    func `basic authentication sends name and password in UTF-8`(user: String, password: String, value: String)
        async throws
    {
        let server = ScriptedTransport([.status(200)])
        _ = try await network(server, try .basic(user: user, password: password)).send(NetworkRequest(url: api))
        #expect(server.requests.first?.headers.values(of: .authorization) == [value])
    }

    @Test(arguments: [
        ("a:b", "c"), ("a\nb", "c"), ("a", "b\u{0}"), ("a\u{7F}", "b"), ("a", "\r"), ("a", "\t"), ("\u{85}", "b"),
    ])
    func `basic authentication refuses a colon in the name and control characters`(user: String, password: String) {
        let error = #expect(throws: MalformedValue.self) {
            try BasicAuthenticationAction(user: user, password: password)
        }
        #expect(error.map { "\($0)" }?.contains("RFC 7617") == true)
    }

    @Test func `basic authentication sends nothing again after a 401`() async throws {
        let server = ScriptedTransport([.status(401, headers: [.wwwAuthenticate: "Basic realm=a"], body: "no")])
        let error = await #expect(throws: NetworkError.self) {
            try await network(server, try .basic(user: "a", password: "b")).send(NetworkRequest(url: api))
        }
        #expect(error?.statusCode == 401)
        #expect(error?.payloadData == Data("no".utf8))
        #expect(server.requests.count == 1)
    }

    // MARK: Keys

    @Test func `a key goes into a header field that is a secret whatever its name`() async throws {
        let server = ScriptedTransport([.status(200)])
        _ = try await network(server, .apiKey("canary", in: .header("X-Mine"))).send(NetworkRequest(url: api))
        let field = try #require(server.requests.first?.headers.first { $0.name == "X-Mine" })
        #expect(field.value == "canary")
        #expect(field.isSensitive)
        #expect(!"\(server.requests)".contains("canary"))
    }

    @Test func `a key goes to the end of the query, encoded once, and its name is a secret's`() async throws {
        let server = ScriptedTransport([.status(200)])
        let key = "a+b &c"
        _ = try await network(server, .apiKey(key, in: .query("api key"))).send(NetworkRequest(url: api))
        let request = try #require(server.requests.first)
        #expect(request.url.absoluteString == "https://api.test/v1/a?b=c&api%20key=a%2Bb%20%26c")
        #expect(request.secretQueryNames == ["api key"])
        #expect("\(request)" == "GET https://api.test/v1/a?…")
    }

    @Test(arguments: ["?key=own", "?a=b&key=own&c", "?key", "?%6Bey=own"])
    func `a key that the request has in its query stays`(query: String) async throws {
        let server = ScriptedTransport([.status(200)])
        let url = URL(string: "https://api.test/a" + query)!
        _ = try await network(server, .apiKey("ours", in: .query("key"))).send(NetworkRequest(url: url))
        #expect(server.requests.first?.url == url)
    }

    @Test func `a retry does not add the key again`() async throws {
        let server = ScriptedTransport([.status(503), .status(200)])
        _ = try await network(server, .apiKey("k", in: .query("key")), RetryOn503()).send(NetworkRequest(url: api))
        #expect(server.requests.map { $0.url.query() } == ["b=c&key=k", "b=c&key=k"])
    }

    // MARK: All of them

    enum Kind: CaseIterable {
        case basic, header, query, signing

        func action(_ origins: CredentialOrigins = .baseURL) throws -> any Action {
            switch self {
            case .basic: try .basic(user: "canary", password: "canary", origins: origins)
            case .header: .apiKey("canary", in: .header("X-Key"), origins: origins)
            case .query: .apiKey("canary", in: .query("key"), origins: origins)
            case .signing:
                .signing(origins: origins) { message in
                    var request = message.request
                    request.headers.setSensitive("canary", for: "X-Signature")
                    return request
                }
            }
        }

        func isCarried(by request: NetworkRequest) -> Bool {
            switch self {
            case .basic: request.headers.contains(.authorization)
            case .header: request.headers.contains("X-Key")
            case .query: request.url.query()?.contains("key=") == true
            case .signing: request.headers.contains("X-Signature")
            }
        }
    }

    /// A case from the field: credentials follow a redirect to another origin.
    @Test(arguments: Kind.allCases)
    func `a credential does not follow a redirect to another origin, nor come back with it`(kind: Kind) async throws {
        let server = ScriptedTransport([
            .redirect(to: "/b"), .redirect(to: "https://api.test:8443/c"), .redirect(to: "https://api.test/d"),
            .status(200),
        ])
        _ = try await network(server, try kind.action()).send(NetworkRequest(url: api))
        #expect(server.requests.map(kind.isCarried) == [true, true, false, false])
    }

    @Test(arguments: Kind.allCases)
    func `a credential goes to the origins it belongs to and no others`(kind: Kind) async throws {
        let other = Origin("https://files.test")!
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let network = network(server, try kind.action(.baseURL(and: [other])))
        for url in ["https://api.test/", "https://files.test/", "https://else.test/", "http://api.test/"] {
            _ = try await network.send(NetworkRequest(url: URL(string: url)!))
        }
        #expect(server.requests.map(kind.isCarried) == [true, true, false, false])
    }

    @Test(arguments: Kind.allCases)
    func `over plain http a credential goes to this machine only`(kind: Kind) async throws {
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        for base in ["http://api.test", "http://127.0.0.1:8080", "http://localhost"] {
            _ = try await network(server, try kind.action(), at: base).send(NetworkRequest(url: URL(string: base)!))
        }
        let insecure = try kind.action(.baseURL.allowingInsecureHTTP())
        _ = try await network(server, insecure, at: "http://api.test").send(
            NetworkRequest(url: URL(string: "http://api.test")!)
        )
        #expect(server.requests.map(kind.isCarried) == [false, true, true, true])
    }

    @Test(arguments: Kind.allCases)
    func `a request can do without, or insist`(kind: Kind) async throws {
        let log = EventLog()
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let network = Network(
            baseURL: URL(string: "https://api.test")!,
            actions: [try kind.action()],
            transport: server,
            configuration: .init(time: ManualClock(), monitors: [CredentialMonitor(log: log)])
        )
        var request = NetworkRequest(url: api)
        request.requiresAuthentication = false
        _ = try await network.send(request)
        request.requiresAuthentication = true
        _ = try await network.send(request)
        #expect(server.requests.map(kind.isCarried) == [false, true])

        request.url = URL(string: "https://else.test")!
        let error = await #expect(throws: NetworkError.self) { try await network.send(request) }
        #expect(error?.code == .authenticationRequired)
        #expect(error?.reach == .no)
        #expect(server.requests.count == 2)
        #expect(log.lines == ["the credential does not belong to https://else.test"])
    }

    @Test(arguments: Kind.allCases)
    func `a request that insists is led elsewhere without`(kind: Kind) async throws {
        let server = ScriptedTransport([.redirect(to: "https://else.test/"), .status(200)])
        var request = NetworkRequest(url: api)
        request.requiresAuthentication = true
        _ = try await network(server, try kind.action()).send(request)
        #expect(server.requests.map(kind.isCarried) == [true, false])
    }

    @Test(arguments: [Kind.basic, .header])
    func `a credential of the request's own stays`(kind: Kind) async throws {
        let server = ScriptedTransport([.status(200)])
        let headers: HTTPHeaders = [.authorization: "Own", "x-key": "Own"]
        _ = try await network(server, try kind.action()).send(NetworkRequest(url: api, headers: headers))
        #expect(server.requests.first?.headers.map(\.value) == ["Own", "Own"])
    }

    @Test(arguments: Kind.allCases)
    func `secrets are not shown`(kind: Kind) async throws {
        let action = try kind.action()
        let error = await network(ScriptedTransport([.status(500)]), action).result(of: NetworkRequest(url: api))
        var texts = ["\(action)", String(reflecting: action), "\(error)"]
        var dumped = ""
        dump(action, to: &dumped)
        dump(try PasswordCredential(user: "canary", password: "canary"), to: &dumped)
        dump(error, to: &dumped)
        texts.append(dumped)
        #expect(!texts.joined().contains("canary"))
    }

    @Test(arguments: Kind.allCases)
    func `keeps the rules of actions`(kind: Kind) async {
        // The closure cannot throw, and the credentials of this suite are well-formed.
        #expect(await ActionConformance.violations { try! kind.action() } == [])
        let origins = CredentialOrigins.these([Origin("https://conformance.test")!])
        #expect(await ActionConformance.violations { try! kind.action(origins) } == [])
    }

    /// The same over sockets, where the other origin is another port.
    @Test(arguments: Kind.allCases)
    func `over sockets a credential does not reach another port`(kind: Kind) async throws {
        let own = try LoopbackServer()
        let other = try LoopbackServer()
        own.handle("GET", "/a") { _ in .redirect(to: other.url("/b").absoluteString) }
        own.handle("GET", "/c") { _ in .text("done") }
        let back = own.url("/c").absoluteString
        other.handle("GET", "/b") { _ in .redirect(to: back) }
        let network = Network(baseURL: own.url, actions: [try kind.action()], transport: CurlTransport())
        _ = try await network.send(NetworkRequest(url: own.url("/a")))

        func holdsSecret(_ server: LoopbackServer) -> [Bool] {
            server.requests.map { request in
                let text = request.target + request.headers.map(\.value).joined()
                return text.contains("canary") || text.contains("Basic ")
            }
        }
        #expect(holdsSecret(own) == [true, false])
        #expect(holdsSecret(other) == [false])
    }
}

/// Asks for one retry.
private struct RetryOn503: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 503 && request.pass == 1 ? .retry(after: .zero) : .deliver(response)
    }
}

/// Writes down why credentials were withheld.
private struct CredentialMonitor: EventMonitor {
    let log: EventLog

    func record(_ event: SendEvent) {
        if case .note(_, let note as CredentialNote) = event.kind { log.append("\(note)") }
    }
}
