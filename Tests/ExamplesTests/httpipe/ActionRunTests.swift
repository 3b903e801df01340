import Foundation
import PipelineTesting
import Testing

/// What the program does around a request, against a server on this machine.
@Suite(.timeLimit(.minutes(3)))
struct ActionRunTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func address(_ path: String) -> String { "127.0.0.1:\(server.port)\(path)" }

    @Test func `sends a token, or a name and a password`() async throws {
        server.handle("GET", "/") { .text($0.first(of: "Authorization") ?? "nobody") }
        #expect(try await Program.run(address("/"), "--bearer", "abc").text == "Bearer abc")
        #expect(
            try await Program.run(address("/"), "--basic", "Aladdin:open sesame").text
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        )
    }

    @Test func `answers a challenge`() async throws {
        server.handle("GET", "/") { request in
            guard let field = request.first(of: "Authorization") else {
                let challenge = #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
                return .status(401, headers: ["WWW-Authenticate": challenge])
            }
            return .text(field)
        }
        let run = try await Program.run(address("/"), "--digest", "ada:secret")
        #expect(run.text.hasPrefix("Digest "), "\(run.errors)")
        #expect(run.text.contains(#"username="ada""#))
        #expect(!run.text.contains("secret"))
        #expect(server.requests.count == 2)
    }

    @Test func `a credential goes nowhere else`() async throws {
        let other = try LoopbackServer()
        other.handle("GET", "/") { .text($0.first(of: "Authorization") ?? "nobody") }
        let target = other.url("/").absoluteString
        server.handle("GET", "/") { _ in .status(302, headers: ["Location": target]) }
        #expect(try await Program.run(address("/"), "--bearer", "abc").text == "nobody")
    }

    @Test func `a credential does not go over plain http to another machine`() async throws {
        let run = try await Program.run("http://a.test/", "--basic", "u:secret")
        #expect(run.errors.hasPrefix("error: authentication-required: "), "\(run.errors)")
        #expect(!run.errors.contains("secret"))
        #expect(run.status == 9)
    }

    @Test func `tries again as often as it is told`() async throws {
        server.handle("GET", "/") { $0.index < 2 ? .status(503, headers: ["Retry-After": "0"]) : .text("ready") }
        let once = try await Program.run(address("/"), "--retry", "1")
        #expect(once.status == 5)
        #expect(server.requests.count == 2)
        let twice = try await Program.run(address("/"), "--retry", "2")
        #expect(twice.text == "ready")
        #expect(server.requests.count == 5)
    }

    @Test func `tries again more often than a budget would let it`() async throws {
        server.handle("GET", "/") { _ in .status(503, headers: ["Retry-After": "0"]) }
        _ = try await Program.run(address("/"), "--retry", "50")
        #expect(server.requests.count == 51)
    }

    @Test func `sends a POST again only if it is told to`() async throws {
        server.handle("POST", "/") { _ in .status(503, headers: ["Retry-After": "0"]) }
        _ = try await Program.run("POST", address("/"), "--retry", "2")
        #expect(server.requests.count == 1)
        _ = try await Program.run("POST", address("/"), "--retry", "2", "--retry-all-methods")
        #expect(server.requests.count == 4)
        _ = try await Program.run("POST", address("/"), "--retry", "1", "--idempotency-key")
        let keys = server.requests.compactMap { $0.first(of: "Idempotency-Key") }
        #expect(server.requests.count == 6)
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    @Test func `keeps cookies in a file that nobody else can read`() async throws {
        let scratch = try Scratch()
        let jar = scratch["jar"].path
        server.handle("GET", "/in") { _ in .status(200, headers: ["Set-Cookie": "s=1"], body: "in") }
        server.handle("GET", "/") { .text($0.first(of: "Cookie") ?? "none") }
        #expect(try await Program.run(address("/"), "--cookies", jar).text == "none")
        #expect(try await Program.run(address("/in"), "--cookies", jar).text == "in")
        #expect(try await Program.run(address("/"), "--cookies", jar).text == "s=1")
        let mode = try FileManager.default.attributesOfItem(atPath: jar)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `prints a line for curl, without secrets, and sends nothing`() async throws {
        let run = try await Program.run(
            address("/x?access_token=canary"),
            "--json",
            #"{"a": "it's", "password": "canary"}"#,
            "--bearer",
            "canary",
            "--curl"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.hasPrefix("curl ") && run.text.hasSuffix("\n"))
        #expect(run.text.contains("--request POST"))
        #expect(run.text.contains("Authorization: Bearer <redacted>"))
        #expect(!run.text.contains("canary"))
        #expect(server.requests.isEmpty)
    }

    @Test func `logs an object a line`() async throws {
        server.handle("GET", "/") { _ in .status(404, body: "none") }
        let run = try await Program.run(address("/?token=canary"), "--log", "info", "--log-json")
        let lines = run.errors.split(separator: "\n")
        let object = try #require(lines.first.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) })
        let fields = try #require(object as? [String: Any])
        #expect(fields["status"] as? Int == 404, "\(run.errors)")
        #expect(lines.last == "error: unacceptable-status: 404 Not Found")
        #expect(!run.errors.contains("canary"))
    }
}
