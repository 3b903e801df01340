import Foundation
import Pipeline

/// The small document as it is.
struct FetchBytes: Request {
    typealias Response = Data

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining(OtherEnd.documentPath))
    }
}

/// The small document, decoded.
struct FetchUser: Request {
    struct Response: Decodable {
        let id: Int
        let name: String
    }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining(OtherEnd.documentPath))
    }
}
