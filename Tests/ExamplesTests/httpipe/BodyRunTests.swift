import Foundation
import PipelineTesting
import Testing

/// What the options for queries, bodies and answers do, from end to end.
@Suite(.timeLimit(.minutes(3)))
struct BodyRunTests {
    let server: LoopbackServer
    let scratch: Scratch

    init() throws {
        server = try LoopbackServer()
        scratch = try Scratch()
    }

    private func address(_ path: String) -> String { "127.0.0.1:\(server.port)\(path)" }

    @Test func `sends a query and a form`() async throws {
        server.handle("POST", "/") { _ in .empty() }
        let run = try await Program.run(
            address("/?a=1"),
            "--query",
            "b=x y",
            "--form",
            "name=Ü&=",
            "--form",
            "name=2"
        )
        #expect(run.errors == "")
        let request = await server.nextRequest()
        #expect(request.target == "/?a=1&b=x%20y")
        #expect(request.first(of: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.bodyText == "name=%C3%9C%26%3D&name=2")
    }

    @Test func `sends a form with files`() async throws {
        server.handle("POST", "/") { _ in .empty() }
        let (typed, untyped) = (scratch["a b.bin"], scratch["c.json"])
        try Data("first".utf8).write(to: typed)
        try Data("{}".utf8).write(to: untyped)
        let run = try await Program.run(
            address("/"),
            "--multipart",
            "title=hi",
            "--multipart",
            "one=@\(typed.path);type=image/png",
            "--multipart",
            "two=@\(untyped.path)"
        )
        #expect(run.errors == "")
        let body = await server.nextRequest().bodyText
        for expected in [
            "name=\"title\"\r\n\r\nhi\r\n",
            "name=\"one\"; filename=\"a b.bin\"\r\nContent-Type: image/png\r\n\r\nfirst\r\n",
            "name=\"two\"; filename=\"c.json\"\r\nContent-Type: application/json\r\n\r\n{}\r\n",
        ] {
            #expect(body.contains(expected))
        }
    }

    @Test func `puts a file`() async throws {
        server.handle("PUT", "/") { _ in .empty(201) }
        let file = scratch["page.html"]
        try Data("<p>".utf8).write(to: file)
        let run = try await Program.run(address("/"), "--upload", file.path, "--progress")
        #expect(run.errors == "")
        let request = await server.nextRequest()
        #expect(request.bodyText == "<p>")
        #expect(request.first(of: "Content-Length") == "3")
        #expect(request.first(of: "Content-Type")?.hasPrefix("text/html") == true)
        let missing = try await Program.run(address("/"), "--upload", scratch["none"].path)
        #expect(missing.errors.hasPrefix("error: file-failed: "))
        #expect(server.requests.count == 1)
    }

    @Test func `prints lines with one kind of end`() async throws {
        server.handle("GET", "/") { _ in .chunked(["a\r", "\nb\rc", "\n\nd"]) }
        let run = try await Program.run(address("/"), "--lines")
        #expect(run.text == "a\nb\nc\n\nd\n")
    }

    @Test func `prints events as JSON over several connections, until the server ends it`() async throws {
        server.handle("GET", "/") { request in
            if request.first(of: "Last-Event-ID") == "7" { return .empty(204) }
            let events = "retry: 1\nid: 7\nevent: news\ndata: a\ndata: \"b\"\n\n"
            return .status(200, headers: ["Content-Type": "text/event-stream"], body: events)
        }
        let run = try await Program.run(address("/"), "--sse")
        #expect(run.text == #"{"data":"a\n\"b\"","id":"7","type":"news"}"# + "\n")
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func `ends like any other request where there are no events`() async throws {
        server.handle("GET", "/") { _ in .status(404, body: "none") }
        let run = try await Program.run(address("/"), "--sse")
        #expect(run.errors == "error: unacceptable-status: 404 Not Found\n")
        #expect(run.status == 4)
    }

    @Test func `shows a download as a line for curl, whatever statuses it takes`() async throws {
        let run = try await Program.run(address("/"), "--download", "--accept", "200", "--curl")
        #expect(run.text.hasPrefix("curl "), "\(run.errors)")
        #expect(run.status == 0)
    }

    @Test func `shows an upload as a line for curl`() async throws {
        let file = scratch["page.html"]
        try Data("<p>".utf8).write(to: file)
        let run = try await Program.run(address("/"), "--upload", file.path, "--curl")
        #expect(run.errors == "")
        #expect(run.text.contains("page.html"))
        #expect(run.text.contains("PUT"))
    }
}
