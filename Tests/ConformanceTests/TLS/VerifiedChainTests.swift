#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    @Suite(.timeLimit(.minutes(3)))
    struct VerifiedChainTests {
        private let stage = CurlTLSStage()

        @Test(arguments: ["good", "stapled", "second"], ["1.2", "1.3"])
        func `is the chain from the server to the root, and no request is sent`(
            name: String,
            version: String
        ) async throws {
            let server = try await TLSServer(name, maximum: version)

            let chain = try await stage.transport.verifiedChain(of: server.url("/any"), tls: TLSFixture.policy())

            #expect(try chain.map(\.pin) == [name, "intermediate", "root"].map(TLSFixture.pin))
            let presented = try TLSFixture.certificates(name).prefix(2)
            #expect(try chain.map(\.certificate) == presented + TLSFixture.certificates("root"))
            let log = try await stage.finalLog(of: server)
            #expect(log.handshakes == 1)
            #expect(log.bytes == 0)
        }

        @Test func `tells whose the certificates are and how long they are valid`() async throws {
            let server = try await TLSServer("good")
            let chain = try await stage.transport.verifiedChain(of: server.url(), tls: TLSFixture.policy())

            #expect(
                chain.map(\.subject) == [
                    "CN=api.test,O=Pipeline Tests", "CN=Test Intermediate,O=Pipeline Tests",
                    "CN=Test Root,O=Pipeline Tests",
                ]
            )
            for certificate in chain {
                #expect(certificate.notBefore == Date(timeIntervalSince1970: 1_577_836_800))  // 2020-01-01
                #expect(certificate.notAfter == Date(timeIntervalSince1970: 4_733_510_400))  // 2120-01-01
            }
        }

        @Test func `escapes what separates the parts of a name`() async throws {
            let server = try await TLSServer("second")
            let chain = try await stage.transport.verifiedChain(of: server.url(), tls: TLSFixture.policy())
            #expect(chain.first?.subject == #"CN=second.test,O=Tests\, Incorporated"#)
        }

        @Test func `can be asked for again and again, and leaves requests alone`() async throws {
            let server = try await TLSServer("good")
            let tls = try TLSFixture.policy()

            for _ in 1...3 {
                #expect(try await stage.transport.verifiedChain(of: server.url(), tls: tls).count == 3)
                #expect(try await stage.text(server.url(), tls: tls) == "secret")
                #expect(try await stage.text(server.url("/close"), tls: tls) == "secret")
            }

            #expect(try await stage.finalLog(of: server).requests.count == 6)
        }

        @Test func `takes the policy of the transport unless told another`() async throws {
            let server = try await TLSServer("good")
            var configuration = CurlTransport.Configuration()
            configuration.tls = try TLSFixture.policy()
            let transport = CurlTransport(configuration: configuration)

            #expect(try await transport.verifiedChain(of: server.url()).count == 3)
            let error = await #expect(throws: NetworkError.self) {
                try await transport.verifiedChain(of: server.url(), tls: TLSPolicy())
            }
            #expect(error?.code == .tlsUntrusted)
        }

        @Test(arguments: [
            ("expired", NetworkError.Code.tlsExpired), ("not-yet-valid", .tlsExpired), ("wrong-host", .tlsWrongHost),
            ("self-signed", .tlsUntrusted), ("untrusted-root", .tlsUntrusted), ("incomplete-chain", .tlsUntrusted),
        ])
        func `fails as a request would`(name: String, code: NetworkError.Code) async throws {
            let server = try await TLSServer(name)

            let error = await #expect(throws: NetworkError.self) {
                try await stage.transport.verifiedChain(of: server.url(), tls: TLSFixture.policy())
            }

            #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
            #expect(error?.reach == .no)
            #expect(try await stage.finalLog(of: server).bytes == 0)
        }

        @Test func `does not mind the pins of the policy, so that it can tell the right ones`() async throws {
            let server = try await TLSServer("good")
            var tls = try TLSFixture.policy()
            tls.pins = ["localhost": [try TLSFixture.pin("second"), "sha256/AAAA"]]

            let chain = try await stage.transport.verifiedChain(of: server.url(), tls: tls)

            #expect(chain.first?.pin == (try TLSFixture.pin("good")))
        }

        @Test func `is refused for a host that is not verified`() async throws {
            let server = try await TLSServer("self-signed")

            let error = await #expect(throws: NetworkError.self) {
                try await stage.transport.verifiedChain(of: server.url(), tls: TLSPolicy(insecureHost: "localhost"))
            }

            #expect(error?.code == .invalidRequest)
            #expect(error?.reach == .no)
        }

        @Test(arguments: ["http://localhost:1/", "ftp://localhost/", "/path"])
        func `is refused where there is no TLS`(url: String) async throws {
            let error = await #expect(throws: NetworkError.self) {
                try await stage.transport.verifiedChain(of: try #require(URL(string: url)), tls: nil)
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.reach == .no)
        }

        @Test func `tells a closed port and a server that speaks no TLS`() async throws {
            let server = try LoopbackServer()
            let cases = [
                (LoopbackServer.unusedPort(), NetworkError.Code.connectionRefused), (server.port, .tlsHandshake),
            ]
            for (port, code) in cases {
                let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
                let error = await #expect(throws: NetworkError.self) {
                    try await stage.transport.verifiedChain(of: url)
                }
                #expect(error?.code == code)
                #expect(error?.reach == .no)
            }
        }

        @Test func `ends when its task is cancelled`() async throws {
            let server = try await TLSServer("silent")
            let task = Task { try await stage.transport.verifiedChain(of: server.url()) }
            try await server.nextConnection()

            task.cancel()

            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await server.log().connections == 1)
        }
    }
#endif
