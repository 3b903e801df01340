import Foundation
import PipelineTesting
import Testing

struct PathPatternTests {
    @Test(arguments: [
        ("/todos", "/todos", [:]),
        ("todos", "/todos", [:]),
        ("/", "", [:]),
        ("/todos/{id}", "/todos/7", ["id": "7"]),
        ("/users/{user}/todos/{id}", "/users/ada/todos/7", ["user": "ada", "id": "7"]),
        ("/files/{name}", "/files/a%2Fb%20c", ["name": "a/b c"]),
        ("/a b", "/a%20b", [:]),
        ("/todos/*", "/todos/7", [:]),
        ("/**", "/a/b/c", [:]),
        ("/a/**", "/a", [:]),
        ("**/todos/{id}", "/api/v1/todos/7", ["id": "7"]),
        ("/a/**/z/{last}", "/a/b/z/c/z/d", ["last": "d"]),
    ])
    func `matches and captures`(pattern: String, path: String, captures: [String: String]) {
        #expect(PathPattern(pattern).captures(in: URL(string: "https://api.test" + path)!) == captures)
    }

    @Test(arguments: [
        ("/todos", "/todos/"), ("/todos", "/Todos"), ("/todos", "/todos/7"), ("/todos/{id}", "/todos"),
        ("/todos/{id}", "/todos/"), ("/todos/*", "/todos/7/8"), ("/**/z", "/a/b"), ("/a", "/"), ("/{id}", "/"),
    ])
    func `does not match`(pattern: String, path: String) {
        #expect(PathPattern(pattern).captures(in: URL(string: "https://api.test" + path)!) == nil)
    }
}
