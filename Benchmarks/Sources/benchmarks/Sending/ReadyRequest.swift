import Foundation
import Pipeline

/// A request that is made beforehand, and whose answer is taken as it is.
struct ReadyRequest: Request {
    typealias Response = Data

    private let request = NetworkRequest(url: URL(string: "https://api.test/users/1")!)

    func buildRequest(with baseURL: URL) -> NetworkRequest { request }

    func buildRequest(withOptional baseURL: URL?) -> NetworkRequest { request }
}
