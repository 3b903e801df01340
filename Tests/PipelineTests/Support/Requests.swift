import Foundation
import Pipeline

let api = URL(string: "https://api.test")!

/// GET /greeting, read as text.
struct GetGreeting: Request {
    typealias Response = String
    var customize: (@Sendable (inout NetworkRequest) -> Void)?

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        var request = NetworkRequest(url: try baseURL.joining("greeting"))
        customize?(&request)
        return request
    }
}

/// GET /value, read as whatever is asked for.
struct GetValue<Value: Decodable & Sendable>: Request {
    typealias Response = Value

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("value"))
    }
}

struct User: Codable, Sendable, Equatable {
    var name: String
}
