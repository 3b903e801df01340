#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// S4: pins are checked against the chain that was verified, before the first byte of the request leaves.
    @Suite(.timeLimit(.minutes(3)))  // A net against hangs; no test comes near it.
    struct PinningTests {
        private let stage = CurlTLSStage()

        private func policy(_ pins: Set<Pin>, for host: String = "localhost") throws -> TLSPolicy {
            var tls = try TLSFixture.policy()
            tls.pins[HostPattern(stringLiteral: host)] = PinRule(pins)
            return tls
        }

        private static func key(_ name: String) throws -> Pin { try TLSFixture.pin(name) }

        private static func certificate(_ name: String) throws -> Pin {
            .certificate(try #require(TLSFixture.certificates(name).first))
        }

        @Test func `says that it can`() {
            #expect(stage.transport.capabilities.contains(.pinning))
        }

        // MARK: What is let through

        private struct Pinning: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let server: String
            let pins: @Sendable () throws -> Set<Pin>
            var code = NetworkError.Code.pinMismatch

            init(
                _ name: String,
                _ server: String = "good",
                _ code: NetworkError.Code = .pinMismatch,
                pins: @escaping @Sendable () throws -> Set<Pin>
            ) {
                testDescription = name
                self.server = server
                self.pins = pins
                self.code = code
            }
        }

        private static let right = [
            Pinning("the server's key") { [try key("good")] },
            Pinning("the intermediate's key") { [try key("intermediate")] },
            Pinning("the root's key, which the server does not present") { [try key("root")] },
            Pinning("the server's certificate") { [try certificate("good")] },
            Pinning("the intermediate's certificate") { [try certificate("intermediate")] },
            Pinning("the root's certificate") { [try certificate("root")] },
            Pinning("one among others") { [try key("second"), try key("root"), try certificate("other-root")] },
            Pinning("a key of a chain with something stapled to it", "stapled") { [try key("stapled")] },
        ]

        @Test(arguments: right, ["1.2", "1.3"])
        private func `a right pin holds on every connection, and none resumes a session`(
            _ right: Pinning,
            version: String
        ) async throws {
            let server = try await TLSServer(right.server, maximum: version)
            let tls = try policy(right.pins())

            for _ in 1...10 { #expect(try await stage.text(server.url("/close"), tls: tls) == "secret") }

            let log = try await stage.finalLog(of: server)
            #expect(log.requests.count == 10)
            #expect(log.handshakes == 10)
            #expect(log.resumed == 0)
        }

        @Test func `pinned requests share a connection`() async throws {
            let server = try await TLSServer("good")
            let tls = try policy([Self.key("good")])

            for _ in 1...3 { try await stage.text(server.url(), tls: tls) }

            let log = try await stage.finalLog(of: server)
            #expect(log.requests.map(\.connection) == [1, 1, 1])
        }

        @Test(arguments: ["1.2", "1.3"])
        func `a session that a request without pins left behind is not resumed`(version: String) async throws {
            let server = try await TLSServer("good", maximum: version)
            let tls = try policy([Self.key("root")])

            for _ in 1...3 { try await stage.text(server.url("/close"), tls: TLSFixture.policy()) }
            let before = try await server.log().resumed
            for _ in 1...3 { #expect(try await stage.text(server.url("/close"), tls: tls) == "secret") }

            let log = try await stage.finalLog(of: server)
            #expect(log.handshakes == 6)
            #expect(log.resumed == before)
        }

        @Test func `pins of another host do not matter`() async throws {
            let server = try await TLSServer("good")
            let tls = try policy([Self.key("second")], for: "127.0.0.1")

            #expect(try await stage.text(server.url(), tls: tls) == "secret")
            #expect(await stage.failure(server.url(host: "127.0.0.1"), tls: tls)?.code == .pinMismatch)
        }

        // MARK: What is not

        private static let wrong = [
            Pinning("another key") { [try key("second")] },
            Pinning("another certificate") { [try certificate("second")] },
            Pinning("a certificate of the same key's chain, and of another server") { [try certificate("stapled")] },
            Pinning("no pin at all") { [] },
            Pinning("the key of a stapled certificate", "stapled") { [try key("other-root")] },
            Pinning("a stapled certificate", "stapled") { [try certificate("other-root")] },
            Pinning("a certificate that has expired", "expired", .tlsExpired) { [try key("expired")] },
            Pinning("one that is not valid yet", "not-yet-valid", .tlsExpired) { [try key("not-yet-valid")] },
            Pinning("a certificate for another host", "wrong-host", .tlsWrongHost) {
                [try key("wrong-host"), try key("root")]
            },
            Pinning("a certificate that nobody issued", "self-signed", .tlsUntrusted) { [try key("self-signed")] },
            Pinning("an authority that is not trusted", "untrusted-root", .tlsUntrusted) { [try key("other-root")] },
            Pinning("a chain with a gap", "incomplete-chain", .tlsUntrusted) { [try key("incomplete-chain")] },
        ]

        @Test(arguments: wrong, ["1.2", "1.3"])
        private func `nothing leaves for a server that is not the pinned one`(
            _ wrong: Pinning,
            version: String
        ) async throws {
            let server = try await TLSServer(wrong.server, maximum: version)

            let error = await stage.failure(server.url(), tls: try policy(wrong.pins()))

            #expect(error?.code == wrong.code, "\(error.map(String.init(describing:)) ?? "")")
            #expect(error?.reach == .no)
            #expect(error?.category == .security)
            let log = try await stage.finalLog(of: server)
            #expect(log.connections >= 1)
            #expect(log.bytes == 0)
        }

        @Test(arguments: [
            ("LOCALHOST", "localhost"), ("localhost.", "localhost"), ("localhost", "LOCALHOST"),
            ("localhost", "localhost."), ("127.0.0.1", "127.0.0.1"),
        ])
        func `no spelling of a host gets round its pins`(name: String, host: String) async throws {
            let server = try await TLSServer("good")
            var configuration = CurlTransport.Configuration()
            configuration.resolve = ["localhost.:\(server.port)": "127.0.0.1"]
            let stage = CurlTLSStage(configuration)

            let error = await stage.failure(server.url(host: host), tls: try policy([Self.key("second")], for: name))

            #expect(error?.code == .pinMismatch)
            #expect(try await stage.finalLog(of: server).bytes == 0)
        }

        @Test func `a pin that is none is refused before anybody is called`() async throws {
            let server = try await TLSServer("good")

            let error = await stage.failure(server.url(), tls: try policy(["sha256/AAAA", Self.key("good")]))

            #expect(error?.code == .invalidRequest)
            #expect(error?.reach == .no)
            #expect(error?.description.contains("sha256/AAAA") == true)
            #expect(try await stage.finalLog(of: server).connections == 0)
        }

        @Test func `a host that is pinned is not spoken to in clear`() async throws {
            let server = try LoopbackServer()
            let tls = try policy([Self.key("good")], for: "127.0.0.1")

            let error = await stage.failure(server.url, tls: tls)

            #expect(error?.code == .pinMismatch)
            #expect(error?.reach == .no)
            #expect(server.connections.isEmpty)
        }

        @Test func `pins of a host that is not verified are refused`() async throws {
            let server = try await TLSServer("good")
            var tls = try policy([Self.key("good")])
            tls.insecureHost = "LOCALHOST"

            let error = await stage.failure(server.url(), tls: tls)

            #expect(error?.code == .invalidRequest)
            #expect(error?.reach == .no)
            #expect(try await stage.finalLog(of: server).connections == 0)
        }

        // MARK: Connections that stand

        @Test(arguments: ["1.2", "1.3"])
        func `a connection that was made without pins is judged before it is used again`(version: String) async throws {
            let server = try await TLSServer("good", maximum: version)

            try await stage.text(server.url("/first"), tls: TLSFixture.policy())
            let error = await stage.failure(server.url("/second"), tls: try policy([Self.key("second")]))
            try await stage.text(server.url("/third"), tls: policy([Self.key("root")]))
            let again = await stage.failure(server.url("/fourth"), tls: try policy([Self.key("second")]))
            try await stage.text(server.url("/fifth"), tls: TLSFixture.policy())

            #expect(error?.code == .pinMismatch)
            #expect(again?.code == .pinMismatch)
            let log = try await stage.finalLog(of: server)
            let lines = log.requests.map(\.line)
            #expect(lines == ["GET /first HTTP/1.1", "GET /third HTTP/1.1", "GET /fifth HTTP/1.1"])
        }

        @Test func `each of many requests at once is judged by its own pins`() async throws {
            let server = try await TLSServer("good")
            let policies = try [policy([Self.key("good")]), policy([Self.key("second")]), TLSFixture.policy()]

            let codes = await withTaskGroup(of: (Int, NetworkError.Code?).self) { group in
                for index in 0..<60 {
                    group.addTask { [stage] in
                        do {
                            try await stage.text(server.url("/\(index % 3)"), tls: policies[index % 3])
                            return (index, nil)
                        } catch {
                            return (index, error.networkError?.code ?? .transportFailed)
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = .some($1.1) }
            }

            for index in 0..<60 { #expect(codes[index] == .some(index % 3 == 1 ? .pinMismatch : nil)) }
            let log = try await stage.finalLog(of: server)
            #expect(log.requests.count == 40)
            #expect(!log.requests.map(\.line).contains("GET /1 HTTP/1.1"))
        }

        // MARK: Redirects

        @Test func `a redirect to a host with other pins ends there`() async throws {
            let first = try await TLSServer("good")
            let second = try await TLSServer("second")
            var tls = try policy([Self.key("good")])
            tls.pins["127.0.0.1"] = [try Self.key("good")]
            let target = second.url(host: "127.0.0.1").absoluteString
            let network = Network(transport: stage.transport)

            let error = await #expect(throws: NetworkError.self) {
                try await network.send(stage.request(first.url("/redirect?to=\(target)"), tls: tls, method: .get))
            }

            #expect(error?.code == .pinMismatch)
            #expect(error?.reach == .no)
            #expect(try await stage.finalLog(of: first).requests.count == 1)
            #expect(try await stage.finalLog(of: second).bytes == 0)
        }

        @Test func `a redirect to a host with its own pins goes on`() async throws {
            let first = try await TLSServer("good")
            let second = try await TLSServer("second")
            var tls = try policy([Self.key("good")])
            tls.pins["127.0.0.1"] = [try Self.key("second")]
            let target = second.url(host: "127.0.0.1").absoluteString
            let network = Network(transport: stage.transport)

            let url = first.url("/redirect?to=\(target)")
            let response = try await network.send(stage.request(url, tls: tls, method: .get))

            #expect(response.body.data == Data("secret".utf8))
            #expect(try await stage.finalLog(of: second).requests.first?.values(of: "Authorization") == [])
        }

        // MARK: What is told

        @Test func `a mismatch lists the pins of the chain that was verified`() async throws {
            let server = try await TLSServer("stapled")

            let error = await stage.failure(server.url(), tls: try policy([Self.key("other-root")]))

            let text = try #require(error).description
            for name in ["stapled", "intermediate", "root"] {
                #expect(text.contains("\(try Self.key(name))"), "\(text)")
            }
            #expect(!text.contains("\(try Self.key("other-root"))"), "\(text)")
            #expect(!text.contains("canary"))
        }
    }
#endif
