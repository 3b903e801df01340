import Foundation
import Pipeline
import PipelineActions

// Who asks: logging in, renewing what the login gave, and a request that needs it.

struct LogIn: Request, Encodable {
    typealias Response = AccessToken
    let name: String
    let password: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(method: .post, url: try baseURL.joining("login"), body: self)
    }
}

struct RenewToken: Request {
    typealias Response = AccessToken
    let refreshToken: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(method: .post, url: try baseURL.joining("token"), body: ["refresh_token": refreshToken])
    }
}

/// The user's own page, for which the server wants to see a token.
struct GetInbox: Request {
    typealias Response = String

    var customProperties: CustomProperties { ["requiresAuthentication": true] }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("inbox"))
    }
}
