#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    /// A client says who it is with a certificate (RFC 8446, section 4.4.2).
    @Suite(.timeLimit(.minutes(3)))
    struct CurlIdentityTests {
        private let stage = CurlTLSStage()

        private struct Form: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let identity: @Sendable () throws -> ClientIdentity

            init(_ name: String, _ identity: @escaping @Sendable () throws -> ClientIdentity) {
                testDescription = name
                self.identity = identity
            }
        }

        private static func pem(_ certificates: String, _ key: String, _ password: String? = nil) throws
            -> ClientIdentity
        {
            .pem(
                certificates: try TLSFixture.data(certificates),
                privateKey: try TLSFixture.data(key),
                password: password
            )
        }

        private func policy(_ identity: ClientIdentity?) throws -> TLSPolicy {
            var tls = try TLSFixture.policy()
            tls.clientIdentity = identity
            return tls
        }

        private static let forms = [
            Form("PEM") { try pem("client.pem", "client-key.pem") },
            Form("PEM with an encrypted key") { try pem("client.pem", "client-key-encrypted.pem", "secret") },
            Form("PEM with a password for a key that needs none") { try pem("client.pem", "client-key.pem", "secret") },
            Form("PEM with both in one text") {
                let text = try TLSFixture.data("client-key.pem") + TLSFixture.data("client.pem")
                return .pem(certificates: text, privateKey: text)
            },
            Form("PKCS #12") { .pkcs12(try TLSFixture.data("client.p12"), password: "secret") },
        ]

        @Test(arguments: forms, ["1.2", "1.3"])
        private func `is shown to a server that asks`(_ form: Form, version: String) async throws {
            let server = try await TLSServer("client-required", maximum: version)
            let tls = try policy(form.identity())

            #expect(try await stage.text(server.url("/close"), tls: tls) == "secret")
            #expect(try await stage.text(server.url(), tls: tls, method: .post) == "secret")

            #expect(try await stage.finalLog(of: server).requests.count == 2)
        }

        @Test(arguments: ["1.2", "1.3"])
        func `a server that asks lets nobody in who has none`(version: String) async throws {
            let server = try await TLSServer("client-required", maximum: version)

            let error = await stage.failure(server.url(), tls: try TLSFixture.policy())

            #expect(error?.code == .tlsHandshake, "\(error.map(String.init(describing:)) ?? "")")
            #expect(try await stage.finalLog(of: server).requests.isEmpty)
        }

        @Test(arguments: ["1.2", "1.3"])
        func `a server refuses one that it does not know`(version: String) async throws {
            let server = try await TLSServer("client-required", maximum: version)

            let error = await stage.failure(server.url(), tls: try policy(Self.pem("good.pem", "good.pem")))

            #expect(error?.code == .tlsHandshake, "\(error.map(String.init(describing:)) ?? "")")
            #expect(try await stage.finalLog(of: server).requests.isEmpty)
        }

        private static let unusable = [
            Form("PEM, wrong password") { try pem("client.pem", "client-key-encrypted.pem", "wrong-canary") },
            Form("PEM, no password") { try pem("client.pem", "client-key-encrypted.pem") },
            Form("PEM, the key of another") { try pem("client.pem", "good.pem", "wrong-canary") },
            Form("PEM, no key") { try pem("client.pem", "client.pem", "wrong-canary") },
            Form("PEM, no certificate") { try pem("client-key.pem", "client-key.pem", "wrong-canary") },
            Form("PEM, empty") { .pem(certificates: Data(), privateKey: Data()) },
            Form("PEM, noise") { .pem(certificates: Data("canary".utf8), privateKey: Data("canary".utf8)) },
            Form("PKCS #12, wrong password") { .pkcs12(try TLSFixture.data("client.p12"), password: "wrong-canary") },
            Form("PKCS #12, no password") { .pkcs12(try TLSFixture.data("client.p12"), password: "") },
            Form("PKCS #12, empty") { .pkcs12(Data(), password: "wrong-canary") },
            Form("PKCS #12, noise") { .pkcs12(Data("canary".utf8), password: "wrong-canary") },
        ]

        @Test(arguments: unusable)
        private func `one that cannot be used is refused, and what is secret stays out of the text`(
            _ form: Form
        ) async throws {
            let server = try await TLSServer("client-required")

            let error = await stage.failure(server.url(), tls: try policy(form.identity()))

            #expect(error?.code == .invalidRequest, "\(error.map(String.init(describing:)) ?? "")")
            #expect(error?.reach == .no)
            #expect(try await stage.finalLog(of: server).bytes == 0)
            var dumped = ""
            dump(error, to: &dumped)
            dump(error?.underlying, to: &dumped)
            let key = try String(decoding: TLSFixture.data("client-key.pem"), as: UTF8.self)
            for secret in ["canary", String(key.split(separator: "\n")[1])] {
                #expect(!"\(String(describing: error)) \(dumped)".contains(secret))
            }
        }

        @Test(arguments: ["/", "/close"], ["1.2", "1.3"])
        func `a connection made with an identity is not used without it`(path: String, version: String) async throws {
            let server = try await TLSServer("client-required", maximum: version)

            try await stage.text(server.url(path), tls: policy(Self.pem("client.pem", "client-key.pem")))
            let error = await stage.failure(server.url(path), tls: try TLSFixture.policy())
            try await stage.text(server.url(path), tls: policy(Self.pem("client.pem", "client-key.pem")))

            #expect(error?.code == .tlsHandshake, "\(error.map(String.init(describing:)) ?? "")")
            #expect(try await stage.finalLog(of: server).requests.count == 2)
        }

        @Test func `goes with pins`() async throws {
            let server = try await TLSServer("client-required")
            var tls = try policy(Self.pem("client.pem", "client-key.pem"))
            tls.pins = ["localhost": [try TLSFixture.pin("good")]]

            #expect(try await stage.text(server.url(), tls: tls) == "secret")
        }
    }
#endif
