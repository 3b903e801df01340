import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Who gets a token, and who does not.
@Suite(.timeLimit(.minutes(3)))
struct BearerTokenActionTests {
    let answering = ScriptedTransport { .init(status: 200, body: .bytes(Data("ok".utf8)), request: $0) }

    var sent: [String] { answering.requests.map { $0.headers[.authorization] ?? "none" } }

    @Test func `attaches the token as a secret that is bound to its origins`() async throws {
        let stage = AuthenticationStage()
        _ = try await stage.network(over: answering).send(AskProtected())

        let field = try #require(answering.requests.first?.headers.first { $0.name == .authorization })
        #expect(field.value == "Bearer old")
        #expect(field.isSensitive)
        #expect(field.origins == [Origin("https://api.test")!])
    }

    // MARK: Who needs one

    @Test(
        arguments: [
            (BearerTokenPolicy.Requirement.required, nil, true), (.required, true, true), (.required, false, false),
            (.ifAvailable, nil, true), (.ifAvailable, true, true), (.ifAvailable, false, false),
            (.never, nil, false), (.never, true, true), (.never, false, false),
        ] as [(BearerTokenPolicy.Requirement, Bool?, Bool)]
    )
    func `the request says whether it needs one, otherwise the action`(
        requirement: BearerTokenPolicy.Requirement,
        own: Bool?,
        expected: Bool
    ) async throws {
        let stage = AuthenticationStage()
        var policy = BearerTokenPolicy()
        policy.requirement = requirement
        let network = stage.network(policy: policy, over: answering)
        _ = try await network.send(AskProtected().configured { $0.requiresAuthentication = own })
        if let own { _ = try await network.send(AskProtected("ask", ["requiresAuthentication": own])) }

        #expect(Set(sent) == [expected ? "Bearer old" : "none"])
    }

    @Test func `a value of the wrong type is an error at build`() async {
        let network = AuthenticationStage().network(over: answering)

        #expect(
            await network.result(of: AskProtected("ask", ["requiresAuthentication": "yes"])).thrownCode
                == .invalidRequest
        )
        #expect(await network.result(of: AskProtected("ask", ["tokenStrategy": "admin"])).thrownCode == .invalidRequest)
        #expect(answering.requests.isEmpty)
    }

    @Test(
        arguments: [
            (BearerTokenPolicy.Requirement.required, nil, false), (.required, false, true), (.ifAvailable, nil, true),
            (.ifAvailable, true, false), (.never, nil, true), (.never, true, false),
        ] as [(BearerTokenPolicy.Requirement, Bool?, Bool)]
    )
    func `without a token only what can go without is sent`(
        requirement: BearerTokenPolicy.Requirement,
        own: Bool?,
        isSent: Bool
    ) async {
        let stage = AuthenticationStage(nil)
        var policy = BearerTokenPolicy()
        policy.requirement = requirement
        let result = await stage.network(policy: policy, over: answering)
            .result(of: AskProtected().configured { $0.requiresAuthentication = own })

        #expect(sent == (isSent ? ["none"] : []))
        #expect(result.thrownCode == (isSent ? nil : .authenticationRequired))
        #expect(isSent || result.thrownError?.reach == .no)
        #expect(isSent || result.thrownError?.category == .authentication)
    }

    @Test func `a credential that the request brings itself is left alone, and so is the answer`() async throws {
        let stage = AuthenticationStage(nil)
        let refusing = ScriptedTransport { .init(status: 401, request: $0) }
        let result = await stage.network(over: refusing).result(
            of: AskProtected().configured { $0.headers[.authorization] = "Basic abc" }
        )

        #expect(result.thrownError?.statusCode == 401)
        #expect(refusing.requests.map { $0.headers[.authorization] } == ["Basic abc"])
    }

    // MARK: Where it goes (S3, B16)

    @Test func `a request that leads elsewhere from the start gets none`() async throws {
        let network = AuthenticationStage().network(over: answering)
        _ = try await network.send(NetworkRequest(url: URL(string: "https://files.test/a")!))

        #expect(sent == ["none"])
    }

    @Test func `one that needs a token there is refused, and the error says what to do`() async {
        let network = AuthenticationStage().network(over: answering)
        var request = NetworkRequest(url: URL(string: "https://files.test/a")!)
        request.requiresAuthentication = true
        let error = await network.result(of: request).thrownError

        #expect(answering.requests.isEmpty)
        #expect(error?.code == .authenticationRequired)
        #expect(error?.explanation?.contains("https://files.test") == true)
    }

    @Test func `origins can be added`() async throws {
        let files = Origin("https://files.test")!
        let network = AuthenticationStage().network(origins: .baseURL(and: [files]), over: answering)
        _ = try await network.send(NetworkRequest(url: URL(string: "https://files.test/a")!))
        _ = try await network.send(AskProtected())

        #expect(sent == ["Bearer old", "Bearer old"])
    }

    @Test func `plain http to another machine is refused unless allowed`() async throws {
        let stage = AuthenticationStage()
        let plain = CredentialOrigins.these([Origin("http://plain.test")!])
        let request = NetworkRequest(url: URL(string: "http://plain.test/a")!)
        let refused = await stage.network(origins: plain, over: answering).result(of: request)
        #expect(refused.thrownCode == .authenticationRequired)
        #expect(answering.requests.isEmpty)

        _ = try await stage.network(origins: plain.allowingInsecureHTTP(), over: answering).send(request)
        #expect(sent == ["Bearer old"])
    }

    @Test func `a token does not follow a redirect out of its origins, nor come back`() async throws {
        let away = ScriptedTransport([
            .redirect(to: "/b"), .redirect(to: "https://evil.test/"), .redirect(to: "https://api.test/c"),
            .status(200, body: "ok"),
        ])
        _ = try await AuthenticationStage().network(over: away).send(AskProtected())

        #expect(away.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer old", nil, nil])
    }

    @Test func `a refusal by somebody else says nothing about the token`() async throws {
        let stage = AuthenticationStage()
        let away = ScriptedTransport([.redirect(to: "https://evil.test/"), .status(401)])
        let result = await stage.network(over: away).result(of: AskProtected())

        #expect(result.thrownError?.statusCode == 401)
        #expect(away.requests.count == 2)
        #expect(try await stage.tokens.token()?.value == "old")
    }

    @Test func `a token that an action further in takes away was not refused`() async throws {
        struct Stripping: RequestWillBeginAction {
            var zone: ActionZone { .hop }

            func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
                var request = request
                request.headers.remove(.authorization)
                return .proceed(request)
            }
        }
        let refusing = ScriptedTransport { .init(status: 401, request: $0) }
        let result = await AuthenticationStage().network(with: [Stripping()], over: refusing).result(of: AskProtected())

        #expect(result.thrownError?.statusCode == 401)
        #expect(refusing.requests.count == 1)
    }

    // MARK: Which one (CN7)

    @Test func `a token for all, for a type, for a label, mixed`() async throws {
        let stage = AuthenticationStage(AccessToken("all"))
        try await stage.tokens.set(AccessToken("asks"), for: .type(AskProtected.self))
        try await stage.tokens.set(AccessToken("admin"), for: .label("admin"))
        let network = stage.network(over: answering)
        _ = try await network.send(AskProtected())
        _ = try await network.send(AskProtected().configured { $0.tokenStrategy = .requestType })
        _ = try await network.send(AskProtected("ask", ["tokenStrategy": TokenStrategy.label("admin")]))
        _ = try await network.send(TellProtected(label: "admin"))
        _ = try await network.send(TellProtected())

        #expect(sent == ["Bearer all", "Bearer asks", "Bearer admin", "Bearer admin", "Bearer all"])
    }

    @Test func `the vault's strategy holds for requests that have none`() async throws {
        let stage = AuthenticationStage(AccessToken("all"), strategy: .requestType)
        try await stage.tokens.set(AccessToken("asks"), for: .type(AskProtected.self))
        let network = stage.network(over: answering)
        _ = try await network.send(AskProtected())
        _ = try await network.send(AskProtected().configured { $0.tokenStrategy = .global })

        #expect(sent == ["Bearer asks", "Bearer all"])
        #expect(await network.result(of: TellProtected()).thrownCode == .authenticationRequired)
    }

    /// An endpoint type with a base URL of its own.
    struct Weather: Request {
        typealias Response = String

        func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
            var request = NetworkRequest(url: URL(string: "https://weather.test/now")!)
            request.baseURL = URL(string: "https://weather.test")
            return request
        }

        func buildRequest(with baseURL: URL) throws -> NetworkRequest { try buildRequest(withOptional: baseURL) }
    }

    @Test func `an endpoint type's own base URL counts for its own token, and not for the one of all`() async throws {
        let stage = AuthenticationStage(AccessToken("all"))
        try await stage.tokens.set(AccessToken("weather"), for: .type(Weather.self))
        let network = stage.network(over: answering)
        _ = try await network.send(Weather())
        _ = try await network.send(Weather().configured { $0.tokenStrategy = .requestType })

        #expect(sent == ["none", "Bearer weather"])
    }

    // MARK: In general

    @Test func `keeps the rules of actions`() async {
        let violations = await ActionConformance.violations {
            BearerTokenAction(
                TokenVault(store: MemoryTokenStore([.global: AccessToken("a", refreshToken: "b")])),
                origins: .these([Origin("https://conformance.test")!])
            ) { _ in AccessToken("c") }
        }
        #expect(violations == [])
    }

    @Test func `reads well in a list of actions`() async throws {
        let tokens = TokenVault()
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [.bearerToken(tokens), .bearerToken(tokens) { _ in AccessToken("new") }]
        )
        #expect(network.actions.count == 2)
    }

    @Test func `stands in the hop zone and says what it reads`() {
        let action = BearerTokenAction(TokenVault())
        #expect(action.zone == .hop)
        #expect(action.customPropertyKeys.map { $0.name } == ["requiresAuthentication", "tokenStrategy"])
    }
}
