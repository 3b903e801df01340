import Foundation
import Pipeline

extension TransportConformance {
    /// A transport makes one attempt and remembers nothing of it: the rest is for actions.
    static let restraintCases: [Case] = redirectCases + challengeCases + memoryCases

    private static let redirectCases: [Case] = [301, 302, 303, 307, 308].map { status in
        Case("hands back the redirect \(status)") { stage in
            stage.server.handle("POST", "/from") { _ in
                .status(status, headers: ["Location": "/to", "X-A": "1"], body: "moved")
            }
            let (response, body) = try await stage.exchange(stage.request(.post, "/from", body: .text("form")))
            try stage.expect("the status", response.status, is: HTTPStatus(status))
            try stage.expect("Location", response.headers[.location], is: "/to")
            try stage.expect("the URL", response.url, is: stage.server.url("/from"))
            try stage.expect("the body", String(decoding: body, as: UTF8.self), is: "moved")
            try stage.expect("the requests", stage.server.requests.map(\.target), is: ["/from"])
        }
    }

    private static let challengeCases: [Case] = [
        (401, "WWW-Authenticate", #"Basic realm="a""#),
        (401, "WWW-Authenticate", #"Digest realm="a", nonce="b", qop="auth", algorithm=SHA-256"#),
        (401, "WWW-Authenticate", "Negotiate"),
        (401, "WWW-Authenticate", "NTLM"),
        (401, "WWW-Authenticate", #"Bearer realm="a", error="invalid_token""#),
        (401, "X-None", "1"),
        (407, "Proxy-Authenticate", #"Basic realm="a""#),
    ].flatMap { (status: Int, name: String, value: String) in
        [RequestBody.none, .text("form")].map { body in
            Case("hands back \(status) with \(name): \(value)\(body.isEmpty ? "" : ", with a body sent")") { stage in
                stage.server.handle { _ in .status(status, headers: [name: value], body: "who are you?") }
                let (response, text) = try await stage.exchange(stage.request(body.isEmpty ? .get : .post, body: body))
                try stage.expect("the status", response.status, is: HTTPStatus(status))
                try stage.expect(name, response.headers[HTTPFieldName(name)], is: value)
                try stage.expect("the body", String(decoding: text, as: UTF8.self), is: "who are you?")
                try stage.expect("the number of requests", stage.server.requests.count, is: 1)
            }
        }
    }

    private static let memoryCases: [Case] = [
        Case("stores no cookies and sends none") { stage in
            stage.server.handle { _ in .empty(200, headers: ["Set-Cookie": "a=1; Path=/"]) }
            for _ in 0..<2 {
                let request = try await stage.received(stage.request())
                try stage.expect("Cookie", request.values(of: "Cookie"), is: [])
            }
        },
        Case("sends the cookies that a request sets") { stage in
            let request = try await stage.received(stage.request(headers: [.cookie: "a=1; b=2"]))
            try stage.expect("Cookie", request.values(of: "Cookie"), is: ["a=1; b=2"])
        },
        Case("stores no response") { stage in
            stage.server.handle { _ in .text("fresh", headers: ["Cache-Control": "max-age=3600", "ETag": "\"1\""]) }
            for _ in 0..<2 {
                let request = try await stage.received(stage.request(.get, "/cacheable"))
                try stage.expect("If-None-Match", request.values(of: "If-None-Match"), is: [])
            }
            try stage.expect("the number of requests", stage.server.requests.count, is: 2)
        },
        Case("attaches no credential") { stage in
            stage.server.handle("GET", "/first") { _ in .empty(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""])
            }
            _ = try await stage.exchange(stage.request(.get, "/first", headers: [.authorization: "Basic YTpi"]))
            _ = await stage.server.nextRequest()
            let request = try await stage.received(stage.request(.get, "/second"))
            try stage.expect("Authorization", request.values(of: "Authorization"), is: [])
        },
        Case("sends the same credential to the same place again, if a request sets it") { stage in
            stage.server.handle { _ in .empty(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""]) }
            for _ in 0..<2 {
                let request = try await stage.received(stage.request(headers: [.authorization: "Basic YTpi"]))
                try stage.expect("Authorization", request.values(of: "Authorization"), is: ["Basic YTpi"])
            }
        },
    ]
}
