#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension RealServerSuite {
        /// Certificates and pins, judged directly and through a proxy; OpenSSL's command made the one and counted the others.
        struct TrustTests {
            let servers: RealServers

            init() throws { servers = try RealServers() }

            @Test(arguments: Way.allCases)
            func `trusts the authorities it is told to, and no others`(way: Way) async throws {
                let url = try Endpoint.http2.url("/facts", in: servers)
                #expect(try await network(way).facts(url).protocol == "HTTP/2.0")

                let stranger = TLSPolicy(roots: .only(try servers.certificates("stranger")))
                for policy in [stranger, TLSPolicy(), TLSPolicy(roots: .only([]))] {
                    try await expect(.tlsUntrusted, from: network(way, policy), at: url)
                }
            }

            @Test(arguments: Way.allCases)
            func `refuses the certificate of another host`(way: Way) async throws {
                let url = try #require(URL(string: "https://localhost:\(servers.elsewhere)/facts"))
                try await expect(.tlsWrongHost, from: network(way), at: url)
            }

            @Test(arguments: Way.allCases, [Endpoint.http1TLS, .http2])
            func `takes a chain with a pinned key, of the server or of its authority`(
                way: Way,
                endpoint: Endpoint
            ) async throws {
                let url = try endpoint.url("/facts", in: servers)
                for pin in [servers.serverPin, servers.authorityPin] {
                    let network = try network(way, servers.policy(pins: ["localhost": [Pin(pin)]]))
                    for _ in 0..<3 { _ = try await network.facts(url) }
                }
            }

            @Test(arguments: Way.allCases, [Endpoint.http1TLS, .http2])
            func `sends nothing to a chain without a pinned key`(way: Way, endpoint: Endpoint) async throws {
                let mark = UUID().uuidString
                let policy = try servers.policy(pins: ["localhost": [Pin(servers.strangerPin)]])
                let network = try network(way, policy)
                for _ in 0..<2 {
                    try await expect(.pinMismatch, from: network, at: endpoint.url("/facts?\(mark)", in: servers))
                }
                let lines = try await servers.log(of: mark, over: Network(servers))
                #expect(lines.isEmpty)
            }

            @Test(arguments: Way.allCases)
            func `tells the chain it verified`(way: Way) async throws {
                let url = try Endpoint.http2.url("/", in: servers)
                let chain = try await transport(way, servers.policy()).verifiedChain(of: url)
                #expect(chain.map(\.pin.description) == [servers.serverPin, servers.authorityPin])
                #expect(chain.map(\.subject) == ["CN=server", "CN=authority"])
                #expect(try chain.last?.certificate == servers.certificates("authority").first)
            }

            @Test(arguments: Way.allCases)
            func `says who the client is, where it has a name`(way: Way) async throws {
                let url = try #require(URL(string: "https://localhost:\(servers.mutual)/facts"))
                let identities: [ClientIdentity] = [
                    .pem(certificates: try servers.file("client.pem"), privateKey: try servers.file("client.key")),
                    .pkcs12(try servers.file("client.p12"), password: servers.clientPassword),
                ]
                for identity in identities {
                    var policy = try servers.policy()
                    policy.clientIdentity = identity
                    #expect(try await network(way, policy).facts(url).client == "CN=client")
                }
                // nginx lets a nameless client finish the handshake and answers 400.
                let error = await #expect(throws: NetworkError.self) { try await network(way).facts(url) }
                #expect(error?.statusCode == 400)
            }

            /// How the server is reached.
            enum Way: CaseIterable, Sendable {
                case direct
                case proxied
            }

            private func transport(_ way: Way, _ policy: TLSPolicy) throws -> CurlTransport {
                var configuration = CurlTransport.Configuration()
                configuration.proxy = way == .direct ? .none : try servers.proxy(servers.openProxy)
                configuration.tls = policy
                return CurlTransport(configuration: configuration)
            }

            private func network(_ way: Way, _ policy: TLSPolicy? = nil) throws -> Network {
                Network(transport: try transport(way, policy ?? servers.policy()))
            }

            private func expect(_ code: NetworkError.Code, from network: Network, at url: URL) async throws {
                let error = await #expect(throws: NetworkError.self) { try await network.facts(url) }
                #expect(error?.code == code)
                #expect(error?.reach == .no)
            }
        }
    }
#endif
