import Foundation
import Pipeline

extension TransportConformance {
    /// The head of a response is told as it came, and the end of its body is found where RFC 9112, section 6.3, puts it.
    static let responseCases: [Case] = headCases + framingCases + interimCases

    private static let headCases: [Case] =
        [200, 201, 299, 404, 418, 500, 599].map { status in
            Case("tells the status \(status) and its body") { stage in
                stage.server.handle { _ in .status(status, body: "why") }
                let (response, body) = try await stage.exchange(stage.request())
                try stage.expect("the status", response.status, is: HTTPStatus(status))
                try stage.expect(body: body, is: Data("why".utf8))
            }
        } + [
            Case("keeps two Set-Cookie fields apart") { stage in
                let cookies = ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/", "b=2; Max-Age=9"]
                stage.server.handle { _ in
                    .empty(200, headers: ["Set-Cookie": cookies[0], "Set-Cookie": cookies[1]])
                }
                let values = try await stage.exchange(stage.request()).response.headers.values(of: .setCookie)
                try stage.expect("Set-Cookie", values, is: cookies)
            },
            Case("tells all values of a repeated field, in order") { stage in
                stage.server.handle { _ in .empty(200, headers: ["X-A": "1", "Vary": "a", "X-A": "2", "Vary": "b"]) }
                let headers = try await stage.exchange(stage.request()).response.headers
                try stage.expect("X-A", headers["X-A"]?.filter { $0 != " " }, is: "1,2")
                try stage.expect("Vary", headers[.vary]?.filter { $0 != " " }, is: "a,b")
            },
            Case("tells all values of a field whose name is spelled in two ways") { stage in
                stage.server.handle { _ in .empty(200, headers: ["Vary": "a", "vary": "b"]) }
                let headers = try await stage.exchange(stage.request()).response.headers
                try stage.expect("Vary", headers[.vary]?.filter { $0 != " " }, is: "a,b")
            },
            Case("keeps order and spelling of the fields of a response, if it claims exact headers") { stage in
                guard stage.transport.capabilities.contains(.exactHeaders) else { return }
                stage.server.handle { _ in .empty(200, headers: ["x-B": "1", "X-a": "2", "X-b": "3"]) }
                let fields = try await stage.exchange(stage.request()).response.headers
                let own = fields.filter { $0.name.spelling.lowercased().hasPrefix("x-") }
                try stage.expect("the fields", own.map { "\($0.name)=\($0.value)" }, is: ["x-B=1", "X-a=2", "X-b=3"])
            },
            Case("reads a header field that is not UTF-8 as Latin-1") { stage in
                let reply = "HTTP/1.1 200 OK\r\nX-Name: Zo\u{EB}\r\nContent-Length: 2\r\n\r\nok"
                stage.server.handle { _ in .raw(reply, encoding: .isoLatin1) }
                let (response, body) = try await stage.exchange(stage.request())
                try stage.expect("X-Name", response.headers["X-Name"], is: "Zo\u{EB}")
                try stage.expect(body: body, is: Data("ok".utf8))
            },
            Case("reads a header field in UTF-8") { stage in
                stage.server.handle { _ in .empty(200, headers: ["X-Name": "Zoë"]) }
                let response = try await stage.exchange(stage.request()).response
                try stage.expect("X-Name", response.headers["X-Name"], is: "Zoë")
            },
            Case("takes a status line without a reason") { stage in
                try await expect(Data("ok".utf8), from: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", on: stage)
            },
            Case("takes an answer of HTTP/1.0") { stage in
                try await expect(Data("ok".utf8), from: "HTTP/1.0 200 OK\r\n\r\nok", then: [.close], on: stage)
            },
        ]

    private static let framingCases: [Case] =
        [(HTTPMethod.head, 200), (.get, 204), (.get, 304)].map { method, status in
            Case("finds no body in the answer \(status) to \(method), whatever length it names") { stage in
                stage.server.handle { _ in [.head(status, headers: ["Content-Length": "5", "ETag": "\"1\""])] }
                let (response, body) = try await stage.exchange(stage.request(method))
                try stage.expect("the status", response.status, is: HTTPStatus(status))
                try stage.expect("the size of the body", body.count, is: 0)
                try stage.expect("ETag", response.headers[.etag], is: "\"1\"")
            }
        } + [
            Case("reads an empty body") { stage in
                stage.server.handle { _ in .empty(201) }
                let (response, body) = try await stage.exchange(stage.request())
                try stage.expect("the status", response.status, is: 201)
                try stage.expect("the size of the body", body.count, is: 0)
            },
            Case("reads a body by its length") { stage in
                let data = ConformanceStage.pattern(5_000_000)
                stage.server.handle { _ in .status(200, body: data) }
                try await stage.expect(body: stage.exchange(stage.request()).body, is: data)
            },
            Case("reads a chunked body") { stage in
                let chunks = (0..<500).map { "chunk \($0)\r\n0\r\n\r\n" }
                stage.server.handle { _ in .chunked(chunks) }
                try await stage.expect(body: stage.exchange(stage.request()).body, is: Data(chunks.joined().utf8))
            },
            Case("reads a chunked body with extensions") { stage in
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                let body = "3;a=b\r\nabc\r\n00002\r\nde\r\n0;last\r\n\r\n"
                try await expect(Data("abcde".utf8), from: head + body, on: stage)
            },
            Case("reads a chunked body with trailers") { stage in
                stage.server.handle { _ in .chunked(["abc", "de"], trailers: ["X-Sum": "5"]) }
                try await stage.expect(body: stage.exchange(stage.request()).body, is: Data("abcde".utf8))
            },
            Case("tells trailers, if it claims to") { stage in
                guard stage.transport.capabilities.contains(.trailers) else { return }
                stage.server.handle { _ in .chunked(["abc"], trailers: ["X-Sum": "3"]) }
                let response = try await stage.exchange(stage.request()).response
                // Those of a body that was a stream when the head came are told by an event instead.
                guard response.body.stream == nil else { return }
                try stage.expect("X-Sum", response.trailers["X-Sum"], is: "3")
            },
            Case("reads a body that the end of the connection ends") { stage in
                let data = ConformanceStage.pattern(200_000)
                stage.server.handle { _ in [.head(200), .bytes(data), .close] }
                try await stage.expect(body: stage.exchange(stage.request()).body, is: data)
            },
            Case("reads nothing behind the end of a body") { stage in
                let reply =
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                stage.server.handle { _ in .raw(reply).then(.close) }
                try await stage.expect(body: stage.exchange(stage.request()).body, is: Data("ok".utf8))
                stage.server.handle { _ in .text("good") }
                try await stage.expect(body: stage.exchange(stage.request()).body, is: Data("good".utf8))
            },
        ]

    private static let interimCases: [Case] = [
        ("100", [.interim(100)]),
        ("103", [.interim(103, headers: ["Link": "</a.css>"])]),
        ("several", [.interim(102), .interim(103, headers: ["X-A": "early"]), .interim(103)]),
    ].map { (name: String, steps: [LoopbackStep]) in
        Case("skips the interim response: \(name)") { stage in
            stage.server.handle { _ in LoopbackReply(steps + LoopbackReply.text("late").steps) }
            let (response, body) = try await stage.exchange(stage.request())
            try stage.expect("the status", response.status, is: 200)
            try stage.expect("X-A", response.headers["X-A"], is: nil)
            try stage.expect("Link", response.headers[.link], is: nil)
            try stage.expect(body: body, is: Data("late".utf8))
        }
    }

    private static func expect(
        _ body: Data,
        from reply: String,
        then steps: [LoopbackStep] = [],
        on stage: ConformanceStage
    ) async throws {
        stage.server.handle { _ in LoopbackReply(LoopbackReply.raw(reply).steps + steps) }
        let (response, received) = try await stage.exchange(stage.request())
        try stage.expect("the status", response.status, is: 200)
        try stage.expect(body: received, is: body)
    }
}
