import Foundation
import Pipeline
import PipelineActions

/// The service, as the rest of a program sees it.
struct Client: Sendable {
    private let tokens = TokenVault()
    private let network: Network

    init(_ url: URL) {
        network = Network(
            baseURL: url,
            actions: [
                BearerTokenAction(tokens) { refresh in
                    try await refresh.network.send(RenewToken(refreshToken: try refresh.refreshToken))
                }
            ]
        )
    }

    func logIn(name: String, password: String) async throws {
        try await tokens.set(try await network.send(LogIn(name: name, password: password)))
    }

    func notes() async throws -> [String] { try await network.send(ListNotes()) }

    /// Asks several times at once.
    func notes(times count: Int) async throws -> [[String]] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<count { group.addTask { try await notes() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Asks once more, and waits to be told that the login is over.
    func untilLoggedOut() async -> NetworkError.Code? {
        let events = tokens.events
        async let answer = network.result(of: ListNotes())
        for await case .rejected in events { break }
        guard case .failure(let error) = await answer else { return nil }
        return error.code
    }
}

struct LogIn: Request, Encodable {
    typealias Response = AccessToken
    let name: String
    let password: String

    var customProperties: CustomProperties { ["requiresAuthentication": false] }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(method: .post, url: try baseURL.joining("login"), body: self)
    }
}

struct RenewToken: Request {
    typealias Response = AccessToken
    let refreshToken: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(
            method: .post,
            url: try baseURL.joining("token"),
            body: .form(["grant_type": "refresh_token", "refresh_token": refreshToken])
        )
    }
}

struct ListNotes: Request {
    typealias Response = [String]

    func buildRequest(with baseURL: URL) throws -> NetworkRequest { NetworkRequest(url: try baseURL.joining("notes")) }
}
