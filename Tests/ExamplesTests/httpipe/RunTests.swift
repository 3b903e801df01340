import Foundation
import PipelineTesting
import Testing

/// The program from end to end, against a server on this machine.
@Suite(.timeLimit(.minutes(3)))
struct RunTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    /// What the best transport of the platform tells of the version.
    #if canImport(Glibc)
        private static let version = "HTTP/1.1"
    #else
        private static let version = "HTTP"
    #endif

    private func address(_ path: String) -> String { "127.0.0.1:\(server.port)\(path)" }

    @Test func `prints the body byte for byte`() async throws {
        let bytes = Data((0...255).map { UInt8($0) })
        server.handle("GET", "/") { _ in .status(200, body: bytes) }
        let run = try await Program.run(address("/"))
        #expect(run.output == bytes)
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func `prints the head first when asked`() async throws {
        server.handle("GET", "/") { _ in .status(201, headers: ["X-A": "1"], body: "hi") }
        let run = try await Program.run("-i", address("/"))
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "\(Self.version) 201 Created")
        #expect(lines.dropFirst().prefix(2).sorted() == ["Content-Length: 2", "X-A: 1"])
        #expect(lines.dropFirst(3) == ["", "hi"])
    }

    @Test(arguments: [(404, 4, "404 Not Found"), (503, 5, "503 Service Unavailable"), (302, 3, "302 Found")])
    func `prints the body of an error too`(status: Int, exit: Int32, text: String) async throws {
        server.handle("GET", "/") { _ in .status(status, headers: ["Location": "/x"], body: "why") }
        let run = try await Program.run(address("/"), "--follow", "none")
        #expect(run.text == "why")
        #expect(run.errors == "error: unacceptable-status: \(text)\n")
        #expect(run.status == exit)
    }

    @Test func `takes for acceptable what it is told to`() async throws {
        server.handle("GET", "/") { _ in .status(404, body: "none") }
        let run = try await Program.run(address("/"), "--accept", "200-299,404")
        #expect(run.text == "none")
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func `sends JSON from text, from a file and from standard input`() async throws {
        server.handle("POST", "/") { _ in .empty() }
        let scratch = try Scratch()
        let json = #"{"a": 1}"#
        try Data(json.utf8).write(to: scratch["body"])
        for source in [json, "@" + scratch["body"].path, "@-"] {
            let run = try await Program.run(address("/"), "--json", source, "-H", "X-B: 2", input: json)
            #expect(run.status == 0, "\(source): \(run.errors)")
            let request = await server.nextRequest()
            #expect(request.bodyText == json)
            #expect(request.first(of: "Content-Type") == "application/json")
            #expect(request.first(of: "Accept") == "application/json")
            #expect(request.first(of: "X-B") == "2")
        }
    }

    @Test func `puts an acceptable body into its file and leaves the file alone otherwise`() async throws {
        server.handle("GET", "/good") { _ in .text("new") }
        server.handle("GET", "/bad") { _ in .status(500, body: "sorry") }
        let scratch = try Scratch()
        let file = scratch["out"]
        try Data("old".utf8).write(to: file)

        let bad = try await Program.run(address("/bad"), "-o", file.path)
        #expect(bad.status == 5)
        #expect(bad.text == "sorry")
        #expect(try Data(contentsOf: file) == Data("old".utf8))

        let good = try await Program.run(address("/good"), "-o", file.path)
        #expect(good.status == 0)
        #expect(good.text == "")
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        #expect(scratch.names == ["out"])
    }

    @Test func `writes into a device rather than replace it`() async throws {
        server.handle("GET", "/") { _ in .text("gone") }
        #expect(try await Program.run(address("/"), "-o", "/dev/null").status == 0)
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    #if os(Linux)
        @Test func `says why nothing can be written`() async throws {
            server.handle("GET", "/") { _ in .text("gone") }
            let run = try await Program.run(address("/"), "-o", "/dev/full")
            #expect(run.errors == "error: output-failed: No space left on device\n")
            #expect(run.status == 10)
        }
    #endif

    @Test func `prints each part of the body when it arrives`() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/") { _ in
            [.head(200, headers: ["Content-Length": "6"]), .bytes("one"), .wait(gate), .bytes("two")]
        }
        let program = try Program([address("/")], isPiped: true)
        let reader = try #require(program.pipe?.fileHandleForReading)
        #expect(try reader.read(upToCount: 3) == Data("one".utf8))
        gate.open()
        #expect(try reader.read(upToCount: 3) == Data("two".utf8))
        #expect(try await program.end().status == 0)
    }

    @Test func `ends quietly when the reader of its output leaves`() async throws {
        server.handle("GET", "/") { _ in .repeating(Data(repeating: 10, count: 65_536), count: 1_000) }
        let program = try Program([address("/")], isPiped: true)
        let reader = try #require(program.pipe?.fileHandleForReading)
        #expect(try reader.read(upToCount: 1) == Data([10]))
        try reader.close()
        let run = try await program.end()
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func `ends with 130 when it is interrupted, and leaves no file`() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/") { _ in [.head(200, headers: ["Content-Length": "6"]), .bytes("one"), .wait(gate)] }
        let scratch = try Scratch()
        let program = try Program([address("/"), "-o", scratch["out"].path])
        await gate.arrival()
        program.interrupt()
        let run = try await program.end()
        #expect(run.status == 130)
        #expect(run.errors.hasPrefix("error: cancelled: "))
        #expect(scratch.names.isEmpty)
    }

    @Test(arguments: [
        (["--timeout", "0.05"], "timed-out-attempt", 7), (["--deadline", "0.05"], "timed-out", 7),
        (["-H", "Content-Length: 3"], "invalid-request", 9), (["--body", "@/no/such/file"], "file-failed", 10),
        (["--frobnicate"], "usage", 9),
    ])
    func `tells an error in one line`(arguments: [String], code: String, exit: Int32) async throws {
        server.handle(nil, "/") { _ in .never }
        let run = try await Program([address("/")] + arguments).end()
        #expect(run.errors.hasPrefix("error: \(code): "))
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(run.text == "")
        #expect(run.status == exit)
    }

    @Test func `tells what it could not get`() async throws {
        server.handle("GET", "/large") { _ in .text("0123456789") }
        server.handle("GET", "/circle") { _ in .redirect(to: "/circle") }
        server.handle("GET", "/away") { _ in .redirect(to: "http://localhost:1/") }
        let large = try await Program.run(address("/large"), "--limit-body", "9")
        #expect(large.errors.hasPrefix("error: response-too-large: "))
        #expect(large.status == 10)
        for arguments in [["/circle"], ["/circle", "--max-redirects", "0"], ["/away", "--follow", "same-origin"]] {
            let run = try await Program([address(arguments[0])] + arguments.dropFirst()).end()
            #expect(run.errors.hasPrefix("error: redirect-refused: "), "\(arguments)")
            #expect(run.status == 3)
        }
        let refused = try await Program.run("http://127.0.0.1:\(LoopbackServer.unusedPort())/")
        #expect(refused.errors.hasPrefix("error: connection-refused: "))
        #expect(refused.status == 6)
    }

    @Test func `logs the whole dialogue without its secrets`() async throws {
        server.handle("GET", "/a") { _ in .redirect(to: "/b") }
        server.handle("GET", "/b") { _ in .text("hi", headers: ["Set-Cookie": "canary", "X-A": "1"]) }
        let url = address("/a?token=canary")
        let run = try await Program.run(url, "-H", "Authorization: canary", "--log", "verbose")
        #expect(!run.errors.contains("canary"))
        let lines = run.errors.split(separator: "\n").map(String.init)
        let root = "http://127.0.0.1:\(server.port)"
        let expected = [
            "> GET \(root)/a?…", "> Authorization: <redacted>", "< \(Self.version) 302 Found",
            "* 302 Found: on to GET \(root)/b", "> GET \(root)/b", "< \(Self.version) 200 OK",
            "< Set-Cookie: <redacted>", "< X-A: 1",
        ]
        #expect(
            lines.filter(expected.contains) == [expected[0], expected[1], expected[2], expected[3]] + [
                expected[4], expected[1], expected[5], expected[6], expected[7],
            ]
        )
        #expect(lines.last?.hasPrefix("* GET \(root)/b: 200 OK after ") == true)
        #expect(run.text == "hi")
    }

    @Test func `explains itself on one screen`() async throws {
        let run = try await Program.run("--help")
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 24)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(run.status == 0)
    }
}
