import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Canaries: no token is in an error, an event, a note, a description or a dump (S2).
@Suite(.timeLimit(.minutes(3)))
struct TokenSecrecyTests {
    static let canary = "canary"

    /// Everything that can be seen of a value.
    func shown(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test(arguments: [
        (401, #"{"error":"invalid_grant","refresh_token":"canary-in-body"}"#, true),
        (503, #"{"refresh_token":"canary-in-body"}"#, false),
        (200, #"{"refresh_token":"canary-in-body"}"#, false),
        (200, #"{"access_token":"canary-new","refresh_token":"canary-next"}"#, true),
    ])
    func `nothing that is told holds a token`(status: Int, body: String, isTold: Bool) async throws {
        let monitor = RecordingMonitor()
        let tokens = TokenVault(
            store: MemoryTokenStore([.global: AccessToken("canary-old", refreshToken: "canary-refresh")])
        )
        var events = tokens.events.makeAsyncIterator()
        let seen = Seen()
        let action = BearerTokenAction(tokens) { refresh in
            seen.add(refresh)
            var request = NetworkRequest(
                method: .post,
                url: AuthenticationStage.api.appending(query: ["access_token": "canary-in-query"])
            )
            request.body = .text(try refresh.refreshToken)
            let response = try await refresh.network.send(request)
            return try await JSONDecoder().decode(AccessToken.self, from: response.body.collect())
        }
        let server = ScriptedTransport { request in
            if request.method == .post {
                return .init(status: HTTPStatus(status), body: .bytes(Data(body.utf8)), request: request)
            }
            return .init(status: 401, body: .bytes(Data("refused".utf8)), request: request)
        }
        let network = Network(
            baseURL: AuthenticationStage.api,
            actions: [action],
            transport: server,
            configuration: .init(time: ManualClock(), monitors: [monitor])
        )
        let error = try #require(await network.result(of: AskProtected()).thrownError)

        // The canaries were there.
        #expect(server.requests.first?.headers[.authorization] == "Bearer canary-old")
        #expect(server.requests.contains { $0.body.data == Data("canary-refresh".utf8) })

        var all = shown(error) + shown(error.underlying as Any) + shown(error.message)
        for event in monitor.events {
            all += shown(event.kind)
            // A dump stops at a depth of its own; what a note says is asked for itself.
            if case .note(_, let note) = event.kind { all += shown(note) }
        }
        for refresh in seen.all { all += shown(refresh) + shown(refresh.token as Any) }
        all += shown(action) + shown(tokens) + shown(network.actions)
        if isTold {
            all += shown(try #require(await events.next()))
        }
        #expect(seen.all.count == 1)
        #expect(!monitor.events.isEmpty)
        #expect(!all.contains(Self.canary), "\(all.components(separatedBy: Self.canary).first?.suffix(300) ?? "")")
    }

    @Test func `stores and scopes show nothing`() async throws {
        let store = MemoryTokenStore([.global: AccessToken("canary")])
        #expect(!shown(store).contains(Self.canary))
        #expect(!shown([TokenScope.global: AccessToken("canary")]).contains(Self.canary))
    }
}

private final class Seen: Sendable {
    private let refreshes = Locked<[TokenRefresh]>([])

    var all: [TokenRefresh] { refreshes.withLock { $0 } }

    func add(_ refresh: TokenRefresh) { refreshes.withLock { $0.append(refresh) } }
}
