import Foundation
import Pipeline
import PipelineTesting

/// A rule of transport security that every transport has to keep; those that need no certificate are
/// ``TransportConformance``.
struct TLSRule: Sendable, CustomStringConvertible {
    /// The rule as the end of a sentence about the transport. It identifies the rule.
    let name: String

    private let check: @Sendable (TLSRuleStage) async throws -> Void

    private init(_ name: String, _ check: @escaping @Sendable (TLSRuleStage) async throws -> Void) {
        self.name = name
        self.check = check
    }

    var description: String { name }

    /// - Throws: ``BrokenTLSRule`` if the transport does not keep the rule.
    func run(against transport: any Transport) async throws {
        do {
            try await check(TLSRuleStage(rule: name, transport: transport))
            await transport.shutdown()
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    static let all = trust + distrust + handshake + bodies

    private static let trust = [
        TLSRule("trusts an authority that the request names") { stage in
            try await stage.expectAnswer(of: TLSServer("good"), tls: TLSFixture.policy())
        },
        TLSRule("trusts an authority beside those of the system") { stage in
            let roots = TrustRoots.system(adding: try TLSFixture.certificates("root"))
            try await stage.expectAnswer(of: TLSServer("good"), tls: TLSPolicy(roots: roots))
        },
        TLSRule("trusts a server by its address") { stage in
            try await stage.expectAnswer(of: TLSServer("good"), host: "127.0.0.1", tls: TLSFixture.policy())
        },
        TLSRule("does not mind an unrelated certificate after the chain") { stage in
            try await stage.expectAnswer(of: TLSServer("stapled"), tls: TLSFixture.policy())
        },
    ]

    /// What is wrong is told by its code (B06), and the request stays here.
    private static let distrust =
        [
            ("good", "an authority that the system does not know", NetworkError.Code.tlsUntrusted),
            ("self-signed", "a certificate that nobody issued", .tlsUntrusted),
            ("untrusted-root", "an authority that nobody knows", .tlsUntrusted),
            ("incomplete-chain", "a chain with a gap", .tlsUntrusted),
        ].map { (certificate: String, fault: String, code: NetworkError.Code) in
            TLSRule("refuses \(fault)") { stage in
                try await stage.expectFailure(code, of: TLSServer(certificate), tls: nil)
            }
        }
        + [
            ("expired", "a certificate that has expired", .tlsExpired),
            ("not-yet-valid", "a certificate that is not valid yet", .tlsExpired),
            ("wrong-host", "a certificate for another host", .tlsWrongHost),
            ("self-signed", "a certificate that nobody issued, whomever else the request trusts", .tlsUntrusted),
            ("untrusted-root", "an authority other than the one that the request names", .tlsUntrusted),
            ("incomplete-chain", "a chain with a gap before the authority that the request names", .tlsUntrusted),
        ].map { (certificate: String, fault: String, code: NetworkError.Code) in
            TLSRule("refuses \(fault)") { stage in
                try await stage.expectFailure(code, of: TLSServer(certificate), tls: TLSFixture.policy())
            }
        } + [
            TLSRule("trusts nobody if the request names no authority") { stage in
                try await stage.expectFailure(.tlsUntrusted, of: TLSServer("good"), tls: TLSPolicy(roots: .only([])))
            }
        ]

    private static let handshake = [
        TLSRule("tells a server that speaks no TLS from one that is not trusted") { stage in
            let server = try LoopbackServer()
            guard let url = URL(string: "https://127.0.0.1:\(server.port)/") else { return }
            let error = try await stage.failure(of: NetworkRequest(url: url))
            try stage.expect(error, .tlsHandshake)
        },
        TLSRule("keeps the lowest version of TLS that the request accepts") { stage in
            var tls = try TLSFixture.policy()
            tls.minimumVersion = .tls1_3
            try await stage.expectFailure(.tlsHandshake, of: TLSServer("good", maximum: "1.2"), tls: tls)
            try await stage.expectAnswer(of: TLSServer("good", maximum: "1.3"), tls: tls)
            tls.minimumVersion = .tls1_2
            try await stage.expectAnswer(of: TLSServer("good", maximum: "1.2"), tls: tls)
        },
    ]

    private static let bodies = [
        TLSRule("carries bodies both ways") { stage in
            let server = try await TLSServer("good")
            let body = String(repeating: "0123456789", count: 20_000)
            var request = NetworkRequest(method: .post, url: server.url("/echo"), body: .text(body))
            request.tls = try TLSFixture.policy()
            let echo = try await stage.answer(to: request)
            try stage.expect(echo.hasPrefix("POST /echo HTTP/1.1\r\n"), "the request", saw: String(echo.prefix(100)))
            try stage.expect(echo.hasSuffix("\r\n\r\n" + body), "the body as it was", saw: "\(echo.utf8.count) bytes")
        },
        // B32: the end of TCP proves nothing, since anybody on the way can bring it about (RFC 9112, section 9.8).
        TLSRule("tells a body that is shorter than its length") { stage in
            try await stage.expectCut("/truncated", [.truncated])
        },
        TLSRule("does not take the end of TCP for the end of a body") { stage in
            try await stage.expectCut("/no-length", [.truncated, .connectionLost])
        },
        TLSRule("takes the end of TLS for the end of a body that has no other") { stage in
            let server = try await TLSServer("good")
            var request = NetworkRequest(url: server.url("/no-length/whole"))
            request.tls = try TLSFixture.policy()
            let text = try await stage.answer(to: request)
            try stage.expect(text == "abc", "abc", saw: text)
        },
    ]
}

/// What a rule plays on.
struct TLSRuleStage: Sendable {
    let rule: String
    let transport: any Transport

    func expect(_ holds: Bool, _ expected: String, saw: @autoclosure () -> String) throws {
        guard holds else { throw BrokenTLSRule(rule: rule, expected: expected, seen: saw()) }
    }

    /// The body of an answer, as text.
    func answer(to request: NetworkRequest) async throws -> String {
        do {
            return String(decoding: try await transport.send(request).body.collect(), as: UTF8.self)
        } catch let error as NetworkError {
            throw BrokenTLSRule(rule: rule, expected: "an answer", seen: "\(error)")
        }
    }

    func failure(of request: NetworkRequest) async throws -> NetworkError {
        do {
            let body = try await transport.send(request).body.collect()
            throw BrokenTLSRule(rule: rule, expected: "an error", seen: "an answer of \(body.count) bytes")
        } catch let error as NetworkError {
            return error
        }
    }

    /// An error of security by which nothing left.
    func expect(_ error: NetworkError, _ code: NetworkError.Code) throws {
        try expect(error.code == code, "the code \(code)", saw: "\(error)")
        try expect(error.reach == .no, "the reach no", saw: "\(error.reach)")
        try expect(error.category == .security, "the category security", saw: "\(error.category)")
    }

    func expectAnswer(of server: TLSServer, host: String = "localhost", tls: TLSPolicy) async throws {
        var request = NetworkRequest(url: server.url(host: host))
        request.tls = tls
        let text = try await answer(to: request)
        try expect(text == "secret", "secret", saw: text)
    }

    /// Sends a POST, which must fail, and makes sure that the server received none of it.
    func expectFailure(_ code: NetworkError.Code, of server: TLSServer, tls: TLSPolicy?) async throws {
        var request = NetworkRequest(method: .post, url: server.url(), body: .text("x"))
        request.tls = tls
        try expect(try await failure(of: request), code)
        let log = try await server.log()
        try expect(log.bytes == 0, "nothing to arrive", saw: "\(log.bytes) bytes")
        try expect(log.connections > 0, "a connection", saw: "none")
    }

    func expectCut(_ path: String, _ codes: [NetworkError.Code]) async throws {
        let server = try await TLSServer("good")
        var request = NetworkRequest(url: server.url(path))
        request.tls = try TLSFixture.policy()
        let error = try await failure(of: request)
        try expect(codes.contains(error.code), "one of the codes \(codes)", saw: "\(error)")
        try expect(error.reach == .maybe, "the reach maybe", saw: "\(error.reach)")
    }
}

/// A rule that was not kept.
struct BrokenTLSRule: Error, CustomStringConvertible {
    let rule: String
    let expected: String
    let seen: String

    var description: String { "\(rule): expected \(expected), saw \(seen)" }
}
