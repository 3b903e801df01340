import Foundation
import Pipeline

// `nonisolated`, since values are decoded away from the main actor.
nonisolated struct User: Codable, Hashable {
    var name: String
}

struct ListUsers: Request {
    typealias Response = [User]

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("users"))
    }
}

/// The response type nested in the request.
struct GetUser: Request {
    struct Response: Decodable, Sendable {
        let name: String
    }

    let id: Int

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.appending(segments: "users", String(id)))
    }
}

/// Optional: nobody is found.
struct FindNobody: Request {
    typealias Response = User?

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("nobody"))
    }
}

struct GetText: Request {
    typealias Response = String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("text"))
    }
}

struct GetBytes: Request {
    typealias Response = Data

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("text"))
    }
}

struct Ping: Request {
    typealias Response = Void

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(method: .head, url: try baseURL.joining("text"))
    }
}

struct GetBusy: Request {
    typealias Response = String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("busy"))
    }
}

struct GetMissing: Request {
    typealias Response = User

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("missing"))
    }
}

/// The request is its own body.
struct CreateUser: Request, Encodable {
    typealias Response = User

    let name: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("echo"), body: self)
    }
}

/// Reads the answer in its own way, and has custom properties and an action of its own.
struct GetMe: Request {
    typealias Response = String

    var customProperties: CustomProperties { ["requiresAuthentication": true] }
    var actions: [any Action] { [MarkAction()] }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("me"))
    }

    func response(from response: NetworkResponse) async throws -> String {
        try JSONDecoder().decode(User.self, from: try await response.body.collect()).name
    }
}

/// All calls of one API as cases of one type.
enum UsersAPI: Request {
    typealias Response = Data

    case list
    case user(id: Int)

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        switch self {
        case .list: NetworkRequest(url: try baseURL.joining("users"))
        case .user(let id): NetworkRequest(url: try baseURL.appending(segments: "users", "\(id)"))
        }
    }
}
