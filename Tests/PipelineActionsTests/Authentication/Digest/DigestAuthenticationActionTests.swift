import Foundation
import Pipeline
import PipelineTesting
import Testing

@testable import PipelineActions

@Suite(.timeLimit(.minutes(3)))
struct DigestAuthenticationActionTests {
    let api = URL(string: "https://api.test/a?b=c")!
    let log = EventLog()
    // Neither has a control character, which is all that is refused.
    static let credential = try! PasswordCredential(user: "Mufasa", password: "canary")

    /// Client nonces are c1, c2 …
    func action(
        origins: CredentialOrigins = .baseURL,
        algorithms: Set<DigestAlgorithm> = Set(DigestAlgorithm.allCases)
    ) -> DigestAuthenticationAction {
        let count = Guarded(0)
        return DigestAuthenticationAction(Self.credential, origins: origins, algorithms: algorithms) {
            count.withLock { count in
                count += 1
                return "c\(count)"
            }
        }
    }

    func network(_ transport: any Transport, _ actions: [any Action], at base: String = "https://api.test") -> Network {
        Network(
            baseURL: URL(string: base)!,
            actions: actions,
            transport: transport,
            configuration: .init(time: ManualClock(), monitors: [DigestMonitor(log: log)])
        )
    }

    static func asking(_ nonce: String, _ more: String = "", realm: String = "r") -> ScriptedTransport.Answer {
        let field = #"Digest realm="\#(realm)", nonce="\#(nonce)", qop="auth"\#(more)"#
        return .status(401, headers: [.wwwAuthenticate: field], body: "refused")
    }

    /// Nonce and count of each request; a hyphen for one without credential.
    func carried(_ server: ScriptedTransport) -> [String] {
        server.requests.map { request in
            let challenge = AuthenticationChallenge.challenges(in: request.headers.values(of: .authorization)).first
            guard let given = challenge?.parameters else { return "-" }
            return "\(given["nonce"] ?? "?") \(Int(given["nc"] ?? "", radix: 16) ?? 0)"
        }
    }

    @Test func `answers the challenge, and from then on every request without being asked`() async throws {
        let server = ScriptedTransport([Self.asking("n"), .status(200), .status(200), .status(204)])
        let network = network(server, [action()])
        for _ in 0..<3 { _ = try await network.send(NetworkRequest(url: api)) }
        #expect(carried(server) == ["-", "n 1", "n 2", "n 3"])
        #expect(log.lines == ["answering the MD5 challenge"])
        let field = try #require(server.requests.last?.headers.first { $0.name == .authorization })
        #expect(field.isSensitive)
        #expect(field.value.contains(#"uri="/a?b=c""#))
    }

    @Test func `chooses the strongest among several challenges in several fields`() async throws {
        let headers: HTTPHeaders = [
            .wwwAuthenticate: "Digest realm=r, nonce=m, qop=auth, algorithm=MD5, Basic realm=r",
            "www-authenticate": "Digest realm=r, nonce=s, qop=auth, algorithm=SHA-256",
        ]
        let server = ScriptedTransport([.status(401, headers: headers), .status(200)])
        _ = try await network(server, [action()]).send(NetworkRequest(url: api))
        #expect(carried(server) == ["-", "s 1"])

        let other = ScriptedTransport([Self.asking("m"), .status(200)])
        let strict = network(other, [action(algorithms: [.sha256, .sha256Session])])
        #expect(await strict.result(of: NetworkRequest(url: api)).refusedStatus == 401)
        #expect(carried(other) == ["-"])
    }

    @Test func `a body that can be sent again is`() async throws {
        let server = ScriptedTransport([Self.asking("n"), .status(200)])
        let request = NetworkRequest(method: .post, url: api, body: .text("hello"))
        _ = try await network(server, [action()]).send(request)
        #expect(server.requests.map { $0.body.data } == [Data("hello".utf8), Data("hello".utf8)])
    }

    @Test func `a body that can be read once only is not, and the 401 comes back`() async throws {
        // A transport begins to read the body before it knows the answer.
        let server = ScriptedTransport { request in
            _ = try request.body.makeChunks()
            let headers: HTTPHeaders = [.wwwAuthenticate: "Digest realm=r, nonce=n, qop=auth"]
            return NetworkResponse(status: 401, headers: headers, request: request)
        }
        let body = RequestBody.stream { SigningActionTests.chunks("a") }
        let error = await #expect(throws: NetworkError.self) {
            try await network(server, [action()]).send(NetworkRequest(method: .post, url: api, body: body))
        }
        #expect(error?.statusCode == 401)
        #expect(error?.refusedRetry == .bodyNotReplayable)
        #expect(server.requests.count == 1)
    }

    // MARK: Refusals

    /// A case from the field: the same wrong credential is sent again and again.
    @Test func `a credential that is refused is not sent again, and the caller gets the 401 with its body`()
        async throws
    {
        let server = ScriptedTransport([Self.asking("n1"), Self.asking("n2"), Self.asking("n3"), Self.asking("n4")])
        let network = network(server, [action()])
        for attempts in [2, 4] {
            let error = await #expect(throws: NetworkError.self) { try await network.send(NetworkRequest(url: api)) }
            #expect(error?.statusCode == 401)
            #expect(error?.payloadData == Data("refused".utf8))
            #expect(server.requests.count == attempts)
        }
        // What was refused is forgotten: the next send waits to be asked.
        #expect(carried(server) == ["-", "n1 1", "-", "n3 1"])
        #expect(log.lines.filter { $0.contains("refuses") }.count == 2)
    }

    @Test func `also when an action further out sends the request again`() async throws {
        let server = ScriptedTransport([Self.asking("n1"), Self.asking("n2"), Self.asking("n3")])
        let error = await #expect(throws: NetworkError.self) {
            try await network(server, [RetryOn401(), action()]).send(NetworkRequest(url: api))
        }
        #expect(error?.statusCode == 401)
        #expect(carried(server) == ["-", "n1 1", "-"])
    }

    @Test func `an answer that was not asked for and is refused is not sent again`() async throws {
        let server = ScriptedTransport([Self.asking("n1"), .status(200), Self.asking("n2")])
        let network = network(server, [action()])
        _ = try await network.send(NetworkRequest(url: api))
        #expect(await network.result(of: NetworkRequest(url: api)).refusedStatus == 401)
        #expect(carried(server) == ["-", "n1 1", "n1 2"])
    }

    @Test func `a stale nonce is replaced, a server that finds every nonce stale is left`() async throws {
        let stale = ", stale=true"
        let server = ScriptedTransport([
            Self.asking("n1"), .status(200), Self.asking("n2", stale), .status(200), Self.asking("n3", stale),
            Self.asking("n4", stale), Self.asking("n5", stale), Self.asking("n6", stale), Self.asking("n7", stale),
            Self.asking("n8", stale),
        ])
        let network = network(server, [action()])
        _ = try await network.send(NetworkRequest(url: api))
        _ = try await network.send(NetworkRequest(url: api))
        #expect(await network.result(of: NetworkRequest(url: api)).refusedStatus == 401)
        #expect(carried(server) == ["-", "n1 1", "n1 2", "n2 1", "n2 2", "n3 1", "n4 1", "n5 1", "n6 1"])
        #expect(log.lines.last == "the server has asked too often")
    }

    /// Servers that count take an answer that comes twice for a replay, and ask anew (RFC 7616, section 3.3, `nc`).
    @Test func `a retry further in repeats the count, and one further out does not`() async throws {
        let (outside, inside) = (
            ScriptedTransport([Self.asking("n"), .status(503), Self.asking("m", ", stale=true"), .status(200)]),
            ScriptedTransport([Self.asking("n"), .status(503), .status(200)])
        )
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        _ = try await network(outside, [action(), RetryAction(policy)]).send(NetworkRequest(url: api))
        _ = try await network(inside, [RetryAction(policy), action()]).send(NetworkRequest(url: api))

        #expect(carried(outside) == ["-", "n 1", "n 1", "m 1"])
        #expect(carried(inside) == ["-", "n 1", "n 2"])
    }

    @Test func `a nonce that the server names for the next request is taken`() async throws {
        let next: HTTPHeaders = [.authenticationInfo: #"qop=auth, nextnonce="n2", nc=00000001"#]
        let server = ScriptedTransport([Self.asking("n1"), .status(200, headers: next), .status(200), .status(200)])
        let network = network(server, [action()])
        for _ in 0..<3 { _ = try await network.send(NetworkRequest(url: api)) }
        #expect(carried(server) == ["-", "n1 1", "n2 1", "n2 2"])
    }

    @Test(arguments: ["Basic realm=r", "Bearer", "Digest realm=r, nonce=n", ""])
    func `a 401 without a challenge that can be answered is delivered`(field: String) async throws {
        let server = ScriptedTransport([.status(401, headers: [.wwwAuthenticate: field], body: "no")])
        let error = await #expect(throws: NetworkError.self) {
            try await network(server, [action()]).send(NetworkRequest(url: api))
        }
        #expect(error?.payloadData == Data("no".utf8))
        #expect(log.lines == ["the server offers no digest challenge that can be answered"])
    }

    // MARK: Where it belongs

    /// A case from the field: credentials follow a redirect to another origin.
    @Test func `challenges of other origins are not answered, nor any once the send has left`() async throws {
        let server = ScriptedTransport([
            Self.asking("n1"), .redirect(to: "/b"), .redirect(to: "https://evil.test/"),
            .redirect(to: "https://api.test/"),
            Self.asking("n2"),
        ])
        #expect(await network(server, [action()]).result(of: NetworkRequest(url: api)).refusedStatus == 401)
        #expect(carried(server) == ["-", "n1 1", "n1 2", "-", "-"])

        let evil = ScriptedTransport([.redirect(to: "https://evil.test/"), Self.asking("n1")])
        #expect(await network(evil, [action()]).result(of: NetworkRequest(url: api)).refusedStatus == 401)
        #expect(carried(evil) == ["-", "-"])
    }

    @Test func `each server has nonces of its own`() async throws {
        let server = ScriptedTransport([
            Self.asking("a"), .redirect(to: "https://files.test/"), Self.asking("f"),
            .redirect(to: "https://api.test/x"),
            .status(200),
        ])
        let origins = CredentialOrigins.baseURL(and: [Origin("https://files.test")!])
        _ = try await network(server, [action(origins: origins)]).send(NetworkRequest(url: api))
        #expect(carried(server) == ["-", "a 1", "-", "f 1", "a 2"])
    }

    @Test func `over plain http to another machine no challenge is answered`() async throws {
        let plain = NetworkRequest(url: URL(string: "http://api.test/")!)
        let server = ScriptedTransport([Self.asking("n")])
        #expect(await network(server, [action()], at: "http://api.test").result(of: plain).refusedStatus == 401)
        #expect(server.requests.count == 1)
    }

    @Test func `a request that does without, or brings its own, is left alone`() async throws {
        let server = ScriptedTransport([Self.asking("n"), Self.asking("n")])
        let network = network(server, [action()])
        var request = NetworkRequest(url: api)
        request.requiresAuthentication = false
        #expect(await network.result(of: request).refusedStatus == 401)
        request.requiresAuthentication = nil
        request.headers[.authorization] = "Own"
        #expect(await network.result(of: request).refusedStatus == 401)
        #expect(server.requests.map { $0.headers[.authorization] } == [nil, "Own"])
    }

    @Test func `an answer to another credential than the one let pass is none of its business`() async throws {
        let server = ScriptedTransport([Self.asking("n1"), .status(200), Self.asking("n2"), .status(200)])
        let network = network(server, [action()])
        _ = try await network.send(NetworkRequest(url: api))

        var request = NetworkRequest(url: api)
        request.actions = [OtherCredential()]
        #expect(await network.result(of: request).refusedStatus == 401)
        _ = try await network.send(NetworkRequest(url: api))
        #expect(carried(server) == ["-", "n1 1", "? 0", "n1 3"])
    }

    @Test func `secrets are not shown`() async throws {
        let action = action()
        let server = ScriptedTransport([Self.asking("n"), .status(500)])
        let result = await network(server, [action]).result(of: NetworkRequest(url: api))
        var dumped = ""
        dump(action, to: &dumped)
        dump(result, to: &dumped)
        dump(server.requests, to: &dumped)
        let texts = ["\(action)", String(reflecting: action), "\(result)", "\(server.requests)", dumped] + log.lines
        #expect(!texts.joined().contains("canary"))
        #expect(!texts.joined().contains("response="))
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { self.action() } == [])
        let origins = CredentialOrigins.these([Origin("https://conformance.test")!])
        #expect(await ActionConformance.violations { self.action(origins: origins) } == [])
    }

    @Test func `client nonces are made by chance`() async throws {
        let server = ScriptedTransport([Self.asking("n"), .status(200), .status(200)])
        let network = network(server, [DigestAuthenticationAction(Self.credential)])
        for _ in 0..<2 { _ = try await network.send(NetworkRequest(url: api)) }
        let nonces = AuthenticationChallenge.challenges(in: server.requests.compactMap { $0.headers[.authorization] })
            .compactMap { $0.parameters["cnonce"] }
        #expect(Set(nonces).count == 2)
        #expect(nonces.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
    }
}

extension Result where Success: Sendable, Failure == NetworkError {
    /// The status of a response that was not accepted.
    var refusedStatus: Int? {
        if case .failure(let error) = self { error.statusCode } else { nil }
    }
}

/// Asks for one retry.
private struct RetryOn401: ResponseCompletedAction {
    var zone: ActionZone { .hop }

    func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        let response = try outcome.get()
        return response.status == 401 && request.pass == 1 ? .retry(after: .zero) : .deliver(response)
    }
}

/// Puts another credential in the place of what is there.
private struct OtherCredential: RequestWillBeginAction {
    var zone: ActionZone { .hop }

    func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        var request = request
        request.headers[.authorization] = "Other abc"
        return .proceed(request)
    }
}

/// Writes down the decisions about challenges.
private struct DigestMonitor: EventMonitor {
    let log: EventLog

    func record(_ event: SendEvent) {
        if case .note(_, let note as DigestNote) = event.kind { log.append("\(note)") }
    }
}
