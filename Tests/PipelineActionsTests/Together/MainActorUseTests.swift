import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import Testing

/// Code that lives on the main actor, as that of an app does: its own state in closures, no `Sendable` gymnastics.
@MainActor
@Suite(.timeLimit(.minutes(3)))
struct MainActorUseTests {
    /// A model of an app.
    @MainActor
    final class Session {
        var refreshes = 0
        var shownStatuses: [Int] = []
        var language = "de"
        let tokens = TokenVault(store: MemoryTokenStore([.global: AccessToken("old")]))

        func renewed() -> AccessToken {
            refreshes += 1
            return AccessToken("new")
        }

        func makeNetwork(over transport: any Transport) -> Network {
            var policy = RetryPolicy.standard
            policy.backoff = .constant(.zero)
            policy.decide = { [weak self] candidate in
                await self?.show(candidate.status)
                return .asUsual
            }
            return Network(
                baseURL: URL(string: "https://api.test")!,
                actions: [
                    DefaultHeadersAction { [weak self] _ in [.acceptLanguage: await self?.language ?? "en"] },
                    BearerTokenAction(tokens) { [weak self] _ in
                        guard let self else { throw RefreshRejection("nobody is there") }
                        return await renewed()
                    },
                    RetryAction(policy),
                    SigningAction { [weak self] message in
                        var request = message.request
                        request.headers["X-Signed-In"] = await self?.language
                        return request
                    },
                ],
                transport: transport
            )
        }

        private func show(_ status: HTTPStatus?) { shownStatuses.append(status?.code ?? 0) }
    }

    @Test func `closures of all actions reach the state of the main actor`() async throws {
        let session = Session()
        let server = ScriptedTransport([.status(503), .status(401), .status(200)])
        let response = try await session.makeNetwork(over: server).send(AskProtected())

        #expect(response.isEmpty)
        #expect(session.refreshes == 1)
        #expect(session.shownStatuses == [503, 401, 200])
        #expect(server.requests.last?.headers[.acceptLanguage] == "de")
        #expect(server.requests.last?.headers["X-Signed-In"] == "de")
    }
}
