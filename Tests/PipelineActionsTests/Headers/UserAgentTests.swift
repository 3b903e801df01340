import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct UserAgentTests {
    @Test(arguments: [
        "Mail", "Mail/2.1", "CERN-LineMode/2.15 libwww/2.17b3", "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101",
        "a (b (c) d) e/1", "a (\\( \\\\) b", "a\t(b)  c/d", "a ()", "a (é)", "!#$%&'*+-.^_`|~/1",
    ])
    func `takes what the grammar allows`(text: String) throws {
        #expect(try UserAgent(text).description == text)
    }

    @Test(
        arguments: [
            "", " ", "(only a comment)", "Mail/", "/2.1", "Mail/2.1/3", "Mail 2.1,", "Mail (open", "Mail (a) )",
            "Mail(a)",
            "Mail (a)b", "Mail (a\\", " Mail", "Mail ", "Mail\r\nX: y", "Mail (a\r\nX: y)", "Mail (\\\n)", "Mäil",
            "a\u{0}",
            "My App/1",
        ].filter { $0 != "My App/1" }
    )
    func `refuses what it does not`(text: String) {
        #expect(throws: MalformedValue.self) { try UserAgent(text) }
    }

    @Test func `is put together of products and comments`() throws {
        let agent = try UserAgent(product: "Mail", version: "2.1").adding(comment: #"beta (x\y)"#).adding(
            product: "Pipeline"
        )
        #expect(agent.description == #"Mail/2.1 (beta \(x\\y\)) Pipeline"#)
        #expect(try UserAgent(agent.description) == agent)
    }

    @Test(arguments: [("My Mail", "1"), ("", nil), ("Mail", ""), ("Mail", "1 2"), ("Mail/2", nil), ("Mail", "1\r\n2")])
    func `refuses products that are none`(product: String, version: String?) {
        #expect(throws: MalformedValue.self) { try UserAgent(product: product, version: version) }
        #expect(throws: MalformedValue.self) { try UserAgent(product: "A").adding(product: product, version: version) }
    }

    @Test func `refuses a comment that would break the line`() {
        #expect(throws: MalformedValue.self) { try UserAgent(product: "A").adding(comment: "a\r\nX: y") }
    }

    @Test func `this program has a name that can be sent`() throws {
        #expect(try UserAgent(UserAgent.program.description) == .program)
    }

    @Test func `is sent by the action, unless the request has its own`() async throws {
        let server = ScriptedTransport { NetworkResponse(status: 200, request: $0) }
        let network = Network(actions: [.userAgent(try UserAgent(product: "Mail", version: "2"))], transport: server)
        _ = try await network.send(NetworkRequest(url: api))
        _ = try await network.send(NetworkRequest(url: api, headers: ["user-agent": "Own/1"]))
        _ = try await Network(actions: [UserAgentAction()], transport: server).send(NetworkRequest(url: api))

        #expect(server.requests.map { $0.headers[.userAgent] } == ["Mail/2", "Own/1", UserAgent.program.description])
    }

    @Test func `keeps the rules of actions`() async {
        #expect(await ActionConformance.violations { UserAgentAction() } == [])
    }
}

private let api = URL(string: "https://api.test")!
