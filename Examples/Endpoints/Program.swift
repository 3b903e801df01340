import Foundation
import Pipeline
import PipelineActions

/// All endpoints of a service in one enumeration, called over real sockets: `swift run Endpoints`.
///
/// It compares what it got and what the server was asked with what should have happened. Any difference ends it with status 1.
@main
struct Program {
    static let expected = [
        "GET /books?author=Ada%20L.", "GET /books/1", "GET /books/404",
        "POST /books", "POST /token", "POST /books",
        "PUT /books/2/cover", "DELETE /books/2",
    ]

    static func main() async {
        do {
            let server = try LibraryServer()
            let tokens = TokenVault(AccessToken("stale", refreshToken: "once"))
            let network = Network(
                baseURL: server.url,
                actions: [BearerTokenAction(tokens, renewedBy: Library.self), .retry()]
            )
            let isRight = try await use(network.endpoints())
            for line in server.log { print("  \(line)") }
            if server.log != expected { print("expected of the server: \(expected)") }
            let isAsExpected = isRight && server.log == expected
            print(isAsExpected ? "All as expected." : "Not as expected.")
            exit(isAsExpected ? 0 : 1)
        } catch {
            print("Endpoints failed: \(error)")
            exit(1)
        }
    }

    /// - Returns: Whether the answers are what the server sent.
    static func use(_ library: Endpoints<Library>) async throws -> Bool {
        let books = try await library.send(.books(by: "Ada L."), as: [Book].self)
        let book = try await library.send(.book(1), as: Book.self)
        let missing = await library.result(of: .book(404), as: Book.self)
        let added = try await library.send(.add(Draft(title: "Sketches")), as: Book.self)
        try await library.send(.cover(added.id, Data("an image".utf8)))
        try await library.send(.remove(added.id))

        guard case .failure(let error) = missing else { return false }
        print("\(books.count) book, \(book.title); added number \(added.id); \(error.serverMessage ?? "no reason")")
        return books == [book] && added.title == "Sketches" && error.serverMessage == "There is no such book."
    }
}
