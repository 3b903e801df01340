import Foundation
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct LoopbackHandlerTests {
    /// The body of the answer to a request.
    func body(of method: String, _ target: String, from server: LoopbackServer) throws -> String {
        let client = try RawClient(port: server.port)
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answer = try client.readTextToEnd()
        return answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? answer
    }

    @Test(arguments: [
        ("GET", "/users/7", "user 7"),
        ("GET", "/users/7?x=/y", "user 7"),
        ("GET", "/users/a%2Fb", "user a/b"),
        ("GET", "/us%65rs/7", "user 7"),
        ("GET", "http://proxied.test/users/7", "user 7"),
        ("GET", "/users/me", "myself"),
        ("GET", "/users/", "user "),
        ("GET", "/users", "other"),
        ("GET", "/users/7/x", "other"),
        ("POST", "/users/7", "other"),
        ("GET", "/files/a/b.txt", "file a/b.txt"),
        ("DELETE", "/files/", "file "),
        ("GET", "/files", "other"),
        ("GET", "/", "root"),
        ("OPTIONS", "*", "other"),
    ])
    func `method and path choose the handler`(method: String, target: String, answer: String) throws {
        let server = try LoopbackServer()
        server.handle { _ in .text("other") }
        server.handle("GET", "/") { _ in .text("root") }
        server.handle("GET", "/users/:id") { .text("user \($0.parameters["id"]!)") }
        server.handle("GET", "/users/me") { _ in .text("myself") }
        server.handle(nil, "/files/*") { .text("file \($0.parameters["*"]!)") }
        #expect(try body(of: method, target, from: server) == answer)
    }

    @Test func `a later handler wins`() throws {
        let server = try LoopbackServer()
        server.handle("GET", "/a") { _ in .text("first") }
        #expect(try body(of: "GET", "/a", from: server) == "first")
        server.handle(nil, "/:x") { _ in .text("second") }
        #expect(try body(of: "GET", "/a", from: server) == "second")
    }

    @Test func `a new handler also answers on connections that are open`() throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        for text in ["<1>", "<2>"] {
            server.handle("GET", "/") { _ in .text(text) }
            try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.read(through: ">").hasSuffix(text))
        }
    }

    @Test func `what nobody handles is not found`() throws {
        let server = try LoopbackServer()
        #expect(try body(of: "GET", "/a", from: server) == "No handler for GET /a\n")
    }

    @Test func `replies in turn end with the last for ever`() throws {
        let server = try LoopbackServer()
        server.handle("GET", "/", inTurn: [.text("1"), .text("2")])
        let bodies = try (0..<4).map { _ in try body(of: "GET", "/", from: server) }
        #expect(bodies == ["1", "2", "2", "2"])
    }
}
