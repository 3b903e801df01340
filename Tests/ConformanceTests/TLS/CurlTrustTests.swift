#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// Whose word counts: of the policies of a request, a network and a transport, and of two policies on one transport.
    @Suite(.timeLimit(.minutes(3)))
    struct CurlTrustTests {
        private let stage = CurlTLSStage()

        // MARK: Which policy

        @Test func `the policy of the transport is for requests that have none`() async throws {
            let server = try await TLSServer("good")
            var configuration = CurlTransport.Configuration()
            configuration.tls = try TLSFixture.policy()
            let stage = CurlTLSStage(configuration)

            #expect(try await stage.text(server.url(), tls: nil) == "secret")
            #expect(await stage.failure(server.url(), tls: TLSPolicy())?.code == .tlsUntrusted)
            #expect(try await stage.finalLog(of: server).requests.count == 1)
        }

        @Test func `the policy of the network comes before that of the transport`() async throws {
            let server = try await TLSServer("good")
            var strict = NetworkConfiguration()
            strict.tls = TLSPolicy()
            var lax = NetworkConfiguration()
            lax.tls = try TLSFixture.policy()
            var configuration = CurlTransport.Configuration()
            configuration.tls = try TLSFixture.policy()
            let transport = CurlTransport(configuration: configuration)

            let error = await #expect(throws: NetworkError.self) {
                try await Network(transport: transport, configuration: strict).send(NetworkRequest(url: server.url()))
            }
            #expect(error?.code == .tlsUntrusted)
            let network = Network(transport: stage.transport, configuration: lax)
            #expect(try await network.send(NetworkRequest(url: server.url())).body.data == Data("secret".utf8))
        }

        @Test func `a policy of the transport that names no host is refused like that of a request`() async throws {
            var configuration = CurlTransport.Configuration()
            configuration.tls = TLSPolicy(pins: ["https://localhost": [try TLSFixture.pin("good")]])
            let server = try await TLSServer("good")
            let stage = CurlTLSStage(configuration)

            let error = await stage.failure(server.url(), tls: nil)

            #expect(error?.code == .invalidRequest)
            #expect(error?.reach == .no)
            #expect(try await stage.finalLog(of: server).connections == 0)
        }

        // MARK: One host that is not verified

        @Test(arguments: [
            "self-signed", "expired", "not-yet-valid", "wrong-host", "untrusted-root", "incomplete-chain",
        ])
        func `one host can go unverified, and no other`(name: String) async throws {
            let server = try await TLSServer(name)
            var tls = try TLSFixture.policy()
            tls.insecureHost = "LocalHost."

            #expect(try await stage.text(server.url(), tls: tls) == "secret")
            let error = await stage.failure(server.url(host: "127.0.0.1"), tls: tls)
            #expect(try await stage.text(server.url(), tls: tls) == "secret")

            #expect(error?.category == .security)
            #expect(error?.reach == .no)
            let log = try await stage.finalLog(of: server)
            #expect(log.requests.flatMap { $0.values(of: "Host") }.allSatisfy { $0.hasPrefix("localhost") })
            #expect(log.requests.count == 2)
        }

        @Test func `a host that goes unverified still keeps the minimum version`() async throws {
            let server = try await TLSServer("self-signed", maximum: "1.2")
            let tls = TLSPolicy(minimumVersion: .tls1_3, insecureHost: "localhost")
            #expect(await stage.failure(server.url(), tls: tls)?.code == .tlsHandshake)
        }

        @Test func `other hosts keep their pins beside one that goes unverified`() async throws {
            let server = try await TLSServer("good")
            var tls = try TLSFixture.policy()
            tls.insecureHost = "localhost"
            tls.pins = ["127.0.0.1": [try TLSFixture.pin("second")]]

            #expect(try await stage.text(server.url(), tls: tls) == "secret")
            #expect(await stage.failure(server.url(host: "127.0.0.1"), tls: tls)?.code == .pinMismatch)
        }

        // MARK: Two policies on one transport

        private struct Pair: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let server: String
            let lax: @Sendable () throws -> TLSPolicy
            let strict: @Sendable () throws -> TLSPolicy
            let code: NetworkError.Code
        }

        private static let pairs = [
            Pair(
                testDescription: "an insecure host",
                server: "self-signed",
                lax: { TLSPolicy(insecureHost: "localhost") },
                strict: TLSFixture.policy,
                code: .tlsUntrusted
            ),
            Pair(
                testDescription: "an insecure host with another's name",
                server: "wrong-host",
                lax: {
                    var tls = try TLSFixture.policy()
                    tls.insecureHost = "localhost"
                    return tls
                },
                strict: TLSFixture.policy,
                code: .tlsWrongHost
            ),
            Pair(
                testDescription: "roots of its own",
                server: "good",
                lax: TLSFixture.policy,
                strict: { TLSPolicy() },
                code: .tlsUntrusted
            ),
            Pair(
                testDescription: "roots beside the system's",
                server: "good",
                lax: { TLSPolicy(roots: .system(adding: try TLSFixture.certificates("root"))) },
                strict: { TLSPolicy() },
                code: .tlsUntrusted
            ),
            Pair(
                testDescription: "other roots beside the system's",
                server: "good",
                lax: { TLSPolicy(roots: .system(adding: try TLSFixture.certificates("root"))) },
                strict: { TLSPolicy(roots: .system(adding: try TLSFixture.certificates("other-root"))) },
                code: .tlsUntrusted
            ),
            Pair(
                testDescription: "other roots",
                server: "good",
                lax: TLSFixture.policy,
                strict: { TLSPolicy(roots: .only(try TLSFixture.certificates("other-root"))) },
                code: .tlsUntrusted
            ),
            Pair(
                testDescription: "nobody",
                server: "good",
                lax: TLSFixture.policy,
                strict: { TLSPolicy(roots: .only([])) },
                code: .tlsUntrusted
            ),
            Pair(
                testDescription: "a lower version",
                server: "good-1.2",
                lax: TLSFixture.policy,
                strict: {
                    var tls = try TLSFixture.policy()
                    tls.minimumVersion = .tls1_3
                    return tls
                },
                code: .tlsHandshake
            ),
        ]

        @Test(arguments: pairs, ["/", "/close"])
        private func `what a lax policy let in is closed to a strict one`(_ pair: Pair, path: String) async throws {
            let server =
                pair.server == "good-1.2"
                ? try await TLSServer("good", maximum: "1.2") : try await TLSServer(pair.server)
            let (lax, strict) = try (pair.lax(), pair.strict())

            let first = await stage.failure(server.url(path), tls: strict)
            try await stage.text(server.url(path), tls: lax)
            let second = await stage.failure(server.url(path), tls: strict)
            try await stage.text(server.url(path), tls: lax)
            let third = await stage.failure(server.url(path), tls: strict)

            for error in [first, second, third] {
                #expect(error?.code == pair.code, "\(error.map(String.init(describing:)) ?? "")")
                #expect(error?.reach == .no)
            }
            #expect(try await stage.finalLog(of: server).requests.count == 2)
        }

        @Test func `two policies at once do not mix`() async throws {
            let server = try await TLSServer("good")
            let policies = try [TLSFixture.policy(), TLSPolicy(), TLSPolicy(roots: .only([]))]

            let answered = await withTaskGroup(of: Int?.self) { group in
                for index in 0..<60 {
                    group.addTask { [stage] in
                        (try? await stage.text(server.url(), tls: policies[index % 3])).map { _ in index % 3 }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answered.compactMap { $0 } == Array(repeating: 0, count: 20))
            #expect(try await stage.finalLog(of: server).requests.count == 20)
        }

        // MARK: What is told

        @Test(arguments: [
            ("expired", "certificate has expired"), ("not-yet-valid", "certificate is not yet valid"),
            ("self-signed", "self-signed certificate"), ("wrong-host", "localhost"),
            ("incomplete-chain", "unable to get local issuer certificate"),
        ])
        func `libcurl's own text is underneath`(name: String, text: String) async throws {
            let server = try await TLSServer(name)

            let error = await stage.failure(server.url(), tls: try TLSFixture.policy())

            let underlying = try #require(error?.underlying)
            #expect("\(underlying)".contains(text))
            #expect(error?.description.contains("canary") == false)
        }

        @Test func `a root that is no certificate is refused`() async throws {
            let server = try await TLSServer("good")
            let noise = Certificate(der: Data("noise".utf8))

            for roots in [TrustRoots.only([noise]), .system(adding: [noise])] {
                let error = await stage.failure(server.url(), tls: TLSPolicy(roots: roots))
                #expect(error?.code == .invalidRequest, "\(error.map(String.init(describing:)) ?? "")")
                #expect(error?.reach == .no)
            }
            #expect(try await stage.finalLog(of: server).bytes == 0)
        }

        @Test(arguments: [("1.2", "TLSv1.2"), ("1.3", "TLSv1.3")])
        func `tells the version and the cipher`(maximum: String, version: String) async throws {
            let server = try await TLSServer("good", maximum: maximum)
            let response = try await stage.transport.send(
                stage.request(server.url(), tls: TLSFixture.policy(), method: .get)
            )
            _ = try await response.body.collect()

            #expect(response.metrics?.tlsVersion == version)
            #expect(response.metrics?.tlsCipher?.isEmpty == false)
        }

        // MARK: Time

        @Test func `the connect limit covers the handshake`() async throws {
            let server = try await TLSServer("silent")
            var request = stage.request(server.url(), tls: nil)
            request.timeLimits = TimeLimits(connect: .milliseconds(300), idle: .seconds(30))

            let error = await #expect(throws: NetworkError.self) { try await stage.transport.send(request) }

            #expect(error?.code == .timedOutConnecting)
            #expect(error?.reach == .no)
        }

        @Test func `a request that is cancelled in the handshake has reached nobody`() async throws {
            let server = try await TLSServer("silent")
            let task = Task { try await stage.text(server.url(), tls: nil) }
            try await server.nextConnection()

            task.cancel()

            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await server.log().connections == 1)
        }
    }
#endif
