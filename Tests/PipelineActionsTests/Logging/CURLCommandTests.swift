import Foundation
import Pipeline
import PipelineActions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CURLCommandTests {
    let url = URL(string: "https://api.test/notes/7?page=2")!

    @Test func `writes the request`() {
        var request = NetworkRequest(method: .put, url: url, headers: [.authorization: "Bearer zq9", "X-Empty": ""])
        request.body = .text(#"{"title":"it's"}"#, contentType: "application/json")
        #expect(
            CURLCommand(request).description
                == "curl --globoff --path-as-is --request PUT --header 'Authorization: Bearer <redacted>' "
                + "--header 'X-Empty;' --header 'Content-Type: application/json' "
                + #"--data-raw '{"title":"it'\''s"}' --url 'https://api.test/notes/7?page=2'"#
        )
    }

    @Test(arguments: [
        (HTTPMethod.get, RequestBody.none, [String]()),
        (.head, .none, ["--head"]),
        (.delete, .none, ["--request", "DELETE"]),
        (.post, .none, ["--request", "POST", "--header", "Content-Type:", "--data-raw", ""]),
        (
            .get, .text("@x"),
            ["--request", "GET", "--header", "Content-Type: text/plain; charset=utf-8", "--data-raw", "@x"]
        ),
        (
            .put, .file(URL(fileURLWithPath: "/a b/@c")),
            ["--request", "PUT", "--header", "Content-Type: application/octet-stream", "--data-binary", "@/a b/@c"]
        ),
    ])
    func `says what curl would not guess`(method: HTTPMethod, body: RequestBody, expected: [String]) {
        let command = CURLCommand(NetworkRequest(method: method, url: url, body: body))
        #expect(command.arguments == ["--globoff", "--path-as-is"] + expected + ["--url", url.absoluteString])
        #expect(command.standardInput == nil)
    }

    @Test func `names what it does not write out`() {
        func body(_ body: RequestBody, _ redaction: RedactionPolicy = .standard) -> CURLCommand {
            CURLCommand(NetworkRequest(method: .post, url: url, body: body), redaction: redaction, bodyLimit: 100)
        }
        let png = RequestBody.bytes(Data([0x89, 0x50, 0, 1]), contentType: "image/png")
        #expect(body(png).arguments.contains("@<image/png, 4 bytes>"))
        #expect(body(png, .includingSecrets).standardInput == Data([0x89, 0x50, 0, 1]))
        #expect(body(.text(String(repeating: "x", count: 101))).arguments.contains { $0.hasSuffix(", 101 bytes>") })
        let stream = RequestBody.stream(contentType: "video/mp4", length: 9) { AsyncStream<Data> { $0.finish() } }
        #expect(body(stream).arguments.contains("@<a stream, video/mp4, 9 bytes>"))
        #expect(stream.canBeSent)
    }

    @Test func `leaves out fields that could not be sent, or would be read as files`() {
        var request = NetworkRequest(url: url)
        request.headers.append(name: "X-A", value: "1\r\nX-B: 2")
        request.headers.append(name: "@/etc/passwd", value: "1")
        request.headers.append(name: "X C", value: "1")
        #expect(!CURLCommand(request).arguments.contains("--header"))
    }

    @Test func `asks curl to undo the coding that the request asks for`() {
        let request = NetworkRequest(url: url, headers: [.acceptEncoding: "gzip"])
        #expect(CURLCommand(request).arguments.contains("--compressed"))
    }

    // MARK: Through a shell

    /// Contents that a shell, `printf` or curl could take for something else.
    static let nasty: [Data] =
        [
            "", " ", "'", "''", "it's", "\"", "\\", "\\'", "\\\\", "`id`", "$(id)", "$HOME", "${HOME}", "~", "*", "?",
            "[a-z]",
            "{a,b}", "!!", "!x'!", "a;b", "a&b", "a|b", "a>b", "# a", "-n", "--", "-----BEGIN", "@/etc/passwd", "%",
            "%s%n", "%%",
            "\\n", "\\0", "\\101", "a\nb", "a\n", "\n", "\n\n", "a\r\nb\r\n", "\t", "a\tb", "\u{1B}[31mred", "\u{7F}",
            "\u{7}1",
            "'\n'", "!\n!", "\\\n\\", "%\n%", "-\n", "äöü €", "\u{1F600}'\n", "\u{202E}abc", "\u{85}x", "é\u{301}\n",
            "{\"a\": \"it's\", \"b\": \"$(id)\"}", String(repeating: "x'\n", count: 40_000), "x\u{0}y", "\u{0}",
        ].map { Data($0.utf8) } + [
            Data((0...255).map { UInt8($0) }), Data([0xFF]), Data([0xC3]), Data([0xED, 0xA0, 0x80, 0x31]),
        ]

    @Test(arguments: Shell.installed)
    func `a shell reads back every body as it is`(shell: String) async throws {
        let commands = Self.nasty.map { data in
            CURLCommand(
                NetworkRequest(method: .post, url: url, body: .bytes(data, contentType: "text/plain")),
                redaction: .includingSecrets,
                bodyLimit: 1_000_000
            )
        }
        let calls = try await Shell.run(commands, with: shell)
        for ((call, data), command) in zip(zip(calls, Self.nasty), commands) {
            #expect(call.arguments == command.arguments, "\(command)")
            let isPiped = command.standardInput != nil
            let place = command.arguments.firstIndex(of: isPiped ? "--data-binary" : "--data-raw")
            let value = place.map { command.arguments[$0 + 1] }
            #expect(isPiped ? value == "@-" && call.input == data : value.map { Data($0.utf8) } == data, "\(command)")
            #expect(isPrintable(command.description))
        }
    }

    @Test(arguments: Shell.installed)
    func `a shell reads back every other part as it is`(shell: String) async throws {
        let texts = Self.nasty.compactMap { String(data: $0, encoding: .utf8) }.filter { !$0.contains("\0") }
        let commands = texts.map { text in
            var request = NetworkRequest(method: HTTPMethod(rawValue: text), url: url)
            request.url.append(path: text)
            request.headers.append(name: "X-A", value: text)
            request.body = .file(URL(fileURLWithPath: "/tmp/" + text))
            return CURLCommand(request, redaction: .includingSecrets)
        }
        for (call, command) in zip(try await Shell.run(commands, with: shell), commands) {
            #expect(call.arguments == command.arguments, "\(command)")
            #expect(call.input.isEmpty)
        }
    }

    @Test func `nothing of a secret is in the line`() async throws {
        var request = NetworkRequest(
            method: .post,
            url: URL(string: "https://ada:zq9@api.test/?access_token=zq9&a=it's")!,
            headers: [.authorization: "Basic zq9", .cookie: "id=zq9", "X-Api-Key": "zq9"],
            body: .text("{\"user\": {\"password\": \"zq9\"},\n \"a\": \"'\"}", contentType: "application/json")
        )
        request.headers.setSensitive("zq9", for: "X-Mine")
        let command = CURLCommand(request)
        #expect(!"\(command)".contains("zq9"))
        var dumped = ""
        dump(command, to: &dumped)
        #expect(!dumped.contains("zq9"))
        let call = try #require(try await Shell.run([command]).first)
        #expect(call.arguments == command.arguments)
        #expect(call.input == Data("{\"user\": {\"password\": \"<redacted>\"},\n \"a\": \"'\"}".utf8))
    }

    private func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{202E}" }
    }
}

/// A POSIX shell with a `curl` that writes down what it was given.
private enum Shell {
    struct Call {
        var arguments: [String]
        var input: Data
    }

    /// The shells that the machine has; `sh` is another one on each system.
    static let installed = ["/bin/sh", "/bin/dash", "/bin/bash", "/bin/zsh", "/bin/ksh"].filter {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static func run(_ commands: [CURLCommand], with shell: String = "/bin/sh") async throws -> [Call] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var script = "curl() { printf '%s\\0' \"$@\" >\"$n.arguments\"; cat >\"$n.input\"; }\n"
        for (number, command) in commands.enumerated() { script += "n=\(number)\n\(command)\n" }
        let file = folder.appending(path: "script")
        try Data(script.utf8).write(to: file)
        let shell = try ChildProcess([shell, "-c", "cd \"$1\" && . ./script", "sh", folder.path])
        #expect(await shell.end() == 0)
        return try commands.indices.map { number in
            let arguments = try Data(contentsOf: folder.appending(path: "\(number).arguments"))
            return Call(
                arguments: arguments.split(separator: 0, omittingEmptySubsequences: false).dropLast()
                    .map { String(decoding: $0, as: UTF8.self) },
                input: try Data(contentsOf: folder.appending(path: "\(number).input"))
            )
        }
    }
}
