import Foundation
import Pipeline

extension TransportConformance {
    /// What goes wrong is told by its code, and with whether the request can have reached the server.
    static let failureCases: [Case] = connectingCases + answeringCases + truncationCases

    private static let connectingCases: [Case] = [
        Case("tells a refused connection") { stage in
            guard let url = URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())/") else { return }
            try await stage.expectFailure(.connectionRefused, reach: .no, of: NetworkRequest(url: url))
        },
        Case("tells a host that has no address") { stage in
            // The name can never have one (RFC 6761, section 6.4).
            guard let url = URL(string: "http://nosuch.invalid/") else { return }
            try await stage.expectFailure(.hostNotFound, reach: .no, of: NetworkRequest(url: url))
        },
    ]

    private static let answeringCases: [Case] =
        [
            ("a connection that is closed", [.close]),
            ("a connection that is reset", [.reset]),
            ("a connection that is closed within the head", [.bytes("HTTP/1.1 200 OK\r\nX-A: "), .close]),
        ].map { (name: String, steps: [LoopbackStep]) in
            Case("tells \(name) instead of an answer") { stage in
                stage.server.handle { _ in LoopbackReply(steps) }
                try await stage.expectFailure(.connectionLost, reach: .maybe, of: stage.request(.post))
            }
        }
        + [
            ("another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
            ("an answer without a status line", "hello\r\n\r\nhello"),
            ("a status that is no number", "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"),
            ("a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nab"),
            ("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nab"),
            ("two lengths that differ", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc"),
            (
                "a chunk size that is no number",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n"
            ),
        ].map { (name: String, reply: String) in
            Case("refuses \(name)") { stage in
                stage.server.handle { _ in .raw(reply).then(.close) }
                try await stage.expectFailure(.protocolViolation, reach: .maybe, of: stage.request())
            }
        } + [
            Case("refuses a head of a megabyte") { stage in
                let field = Data("X-Filler: \(String(repeating: "a", count: 1012))\r\n".utf8)  // 1024 bytes.
                stage.server.handle { _ in
                    [.bytes("HTTP/1.1 200 OK\r\n"), .repeating(field, count: 1024), .bytes("\r\n")]
                }
                try await stage.expectFailure(.protocolViolation, .responseTooLarge, of: stage.request())
            },
            Case("refuses interim responses without end") { stage in
                let interim = Data("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)
                stage.server.handle { _ in [.repeating(interim, count: 1000), .head(200), .close] }
                try await stage.expectFailure(.protocolViolation, of: stage.request())
            },
        ]

    /// RFC 9112, section 8: an incomplete message is no message.
    private static let truncationCases: [Case] =
        [
            (
                "a body that is shorter than its length",
                [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .close]
            ),
            (
                "a body that is shorter than its length by one byte",
                [.head(200, headers: ["Content-Length": "4"]), .bytes("abc"), .close]
            ),
            (
                "a chunked body without its last chunk",
                [.head(200, headers: ["Transfer-Encoding": "chunked"]), .chunk("abc"), .close]
            ),
            (
                "a chunked body that ends within a chunk",
                [.head(200, headers: ["Transfer-Encoding": "chunked"]), .bytes("10\r\nabc"), .close]
            ),
        ].map { (name: String, steps: [LoopbackStep]) in
            Case("tells \(name)") { stage in
                stage.server.handle { _ in LoopbackReply(steps) }
                try await stage.expectFailure(.truncated, reach: .maybe, of: stage.request())
            }
        } + [
            Case("tells a connection that is reset within a body") { stage in
                let gate = LoopbackGate()
                stage.server.handle { _ in
                    [.head(200, headers: ["Content-Length": "100"]), .bytes("abc"), .wait(gate), .reset]
                }
                let response = try await stage.transport.send(stage.request())
                gate.open()
                do {
                    let body = try await response.body.collect()
                    throw stage.broken("an error", saw: "\(body.count) bytes")
                } catch let error as NetworkError {
                    try stage.expect(error, in: [.connectionLost, .truncated], reach: .maybe)
                }
            }
        ]
}
