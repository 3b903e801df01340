import Foundation
import Pipeline
import PipelineTesting
import Testing

@testable import httpipe

struct LogMonitorTests {
    @Test func `what a field holds is as secret as in the other logs`() async throws {
        let log = EventLog()
        let monitor = LogMonitor(level: .verbose, start: .zero) { log.append($0) }
        let server = ScriptedTransport([
            .status(
                200,
                headers: [
                    "Link": "<https://a.test/?page=2&token=zq9>; rel=next", "X-Refresh-Secret": "zq9",
                    .location: "/next?visible=no&code=zq9", .setCookie: "id=zq9", "X-Plain": "visible\u{1B}[31m",
                ]
            )
        ])
        let network = Network(transport: server, configuration: .init(time: SystemTime.shared, monitors: [monitor]))
        let headers: HTTPHeaders = ["X-My-Secret": "zq9", "X-Link": "https://ada:zq9@a.test/", "X-Plain": "visible"]
        _ = try await network.send(NetworkRequest(url: URL(string: "https://a.test/?code=zq9")!, headers: headers))

        let lines = log.lines.joined()
        #expect(!lines.contains("zq9"), "\(lines)")
        for line in [
            "> X-Plain: visible\n", "> X-My-Secret: <redacted>\n", "< Location: /next?…\n",
            "< X-Plain: visible\\u{1B}[31m\n",
            "< Link: <https://a.test/?page=2&token=<redacted>>; rel=next\n", "< Set-Cookie: <redacted>\n",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }
}
