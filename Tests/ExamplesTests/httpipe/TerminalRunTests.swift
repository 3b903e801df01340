import Foundation
import PipelineTesting
import TestSupport
import Testing

/// `httpipe` where standard error is a terminal.
@Suite(.timeLimit(.minutes(3)))
struct TerminalRunTests {
    private struct Run: Decodable {
        let printed: Int
        let shown: String
    }

    private static let script = """
        import os, pty, subprocess
        terminal, end = pty.openpty()
        child = subprocess.Popen(value, stdout=subprocess.PIPE, stderr=end)
        os.close(end)
        printed = len(child.stdout.read())
        child.wait()
        shown = b""
        try:
            while piece := os.read(terminal, 65536): shown += piece
        except OSError:
            pass
        print(json.dumps({"printed": printed, "shown": shown.decode()}))
        """

    @Test(arguments: [["-o", "file"], [], ["--upload", "source"]])
    func `draws a bar, wherever the body goes`(options: [String]) async throws {
        let server = try LoopbackServer()
        let content = Data(repeating: 7, count: 20_000_000)
        server.handle("GET", "/") { _ in .status(200, body: content) }
        server.handle("PUT", "/") { _ in .empty(201) }
        let scratch = try Scratch()
        try content.write(to: scratch["source"])
        let options = options.map { $0.hasPrefix("-") ? $0 : scratch[$0].path }
        let command = [Program.path(of: "httpipe"), server.url("/").absoluteString, "--proxy", "none", "--progress"]
        let run = try await Python.run(Self.script, telling: command + options, reading: Data(), as: Run.self)
        #expect(run.printed == (options.isEmpty ? content.count : 0))
        #expect(run.shown.contains("\r["))
        #expect(run.shown.contains("#] "))
        #expect(run.shown.contains("20 MB of 20 MB"))
        #expect(run.shown.utf8.last == UInt8(ascii: "\n"))
    }
}
