import Foundation
import Testing

@testable import Pipeline

struct EndpointPathTests {
    private static let base = URL(string: "https://example.com/api")!
    private static let name = "a/b?c#d%e"

    private static let paths: [(EndpointPath, String)] = [
        ("todos", "/todos"),
        ("/todos", "/todos"),
        ("todos/", "/todos/"),
        ("", ""),
        ("/", ""),
        ("todos/\(7)", "/todos/7"),
        ("users/\(name)/files", "/users/a%2Fb%3Fc%23d%25e/files"),
        ("files/\(name).json", "/files/a%2Fb%3Fc%23d%25e.json"),
        ("\("a")\("b")/c", "/ab/c"),
        ("\(path: "a/b")/c", "/a/b/c"),
        (EndpointPath("a b/ü"), "/a%20b/%C3%BC"),
        (EndpointPath(segments: "a/b", "c"), "/a%2Fb/c"),
        (EndpointPath(segments: []), ""),
        ("archive/\(path: "2026/11")/", "/archive/2026/11/"),
    ]

    @Test(arguments: paths)
    func `stands on the base URL with values as data`(path: EndpointPath, expected: String) throws {
        #expect(try path.url(on: Self.base).absoluteString == "https://example.com/api" + expected)
    }

    @Test(arguments: [
        "todos?all" as EndpointPath,
        "todos#top",
        "//other.example/todos",
        "https://other.example/todos",
        "a//b",
        "../todos",
        "a/./b",
        "a/\("..")/b",
        "a/\(".")\(".")/b",
        "a/\("")/b",
        "a/\(path: "b?c")",
        EndpointPath(segments: ".."),
    ])
    func `refuses what leads elsewhere`(path: EndpointPath) {
        #expect(throws: MalformedValue.self) { try path.url(on: Self.base) }
    }
}
