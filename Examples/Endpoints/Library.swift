import Foundation
import Pipeline
import PipelineActions

// A whole client in one file: what the service is asked, who may ask, and what its answers are.

enum Library: RenewingEndpoint {
    case books(by: String)
    case book(Int)
    case add(Draft)
    case remove(Int)
    case cover(Int, Data)
    case renew(String)

    var path: EndpointPath {
        switch self {
        case .books, .add: "books"
        case .book(let id), .remove(let id): "books/\(id)"
        case .cover(let id, _): "books/\(id)/cover"
        case .renew: "token"
        }
    }

    var method: HTTPMethod {
        switch self {
        case .books, .book: .get
        case .add, .renew: .post
        case .cover: .put
        case .remove: .delete
        }
    }

    var data: EndpointData {
        switch self {
        case .books(let author): .query(["author": author])
        case .add(let draft): .json(draft)
        case .cover(_, let image): .multipart([.data("image", image, fileName: "cover.png", contentType: "image/png")])
        case .renew(let token): .form(["refresh_token": token])
        case .book, .remove: .plain
        }
    }

    /// Who only reads needs no token.
    var requiresAccessToken: Bool? {
        switch self {
        case .books, .book, .renew: false
        case .add, .remove, .cover: true
        }
    }

    static func renewal(for refresh: TokenRefresh) throws -> (Library, as: AccessToken.Type) {
        (.renew(try refresh.refreshToken), as: AccessToken.self)
    }
}

struct Book: Codable, Equatable, Sendable {
    var id: Int
    var title: String
}

struct Draft: Encodable, Sendable {
    var title: String
}
