import Foundation
import Pipeline

// What the calls ask.

struct Person: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var friends: [Int] = []
}

struct GetPerson: Request {
    typealias Response = Person
    let id: Int

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.appending(segments: "people", "\(id)"))
    }
}

struct FindPeople: Request {
    typealias Response = [String]
    let text: String

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("search").appending(query: ["q": text]))
    }
}
