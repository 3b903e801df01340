#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension RealServerSuite {
        /// HTTP/2 with nginx, which lets 128 requests at once onto a connection.
        struct HTTP2Tests {
            let servers: RealServers
            let network: Network
            let mark = UUID().uuidString

            init() throws {
                servers = try RealServers()
                network = try Network(servers)
            }

            @Test func `shares few connections among many requests`() async throws {
                let facts = try await ask(300, at: Endpoint.http2.url("/facts", in: servers))
                #expect(Set(facts.map(\.protocol)) == ["HTTP/2.0"])
                #expect(Set(facts.map(\.connection)).count <= 2, "64 at once fit into one")
            }

            @Test func `gives each streamed response a connection of its own, and uses it again`() async throws {
                let url = try Endpoint.http2.url("/files/big", in: servers)
                var held: [NetworkResponse] = []
                for _ in 0..<3 { held.append(try await network.send(NetworkRequest(url: url, delivery: .stream))) }
                #expect(held.map { $0.metrics?.isReusedConnection } == [false, false, false])

                let facts = NetworkRequest(url: try Endpoint.http2.url("/facts", in: servers), delivery: .stream)
                let first = try await Facts(network.send(facts))
                let second = try await Facts(network.send(facts))
                #expect(first.connection == second.connection)
                #expect(second.nth == "2")
                withExtendedLifetime(held) {}
            }

            @Test func `speaks HTTP/1 where it is told to, or the server offers nothing else`() async throws {
                var configuration = CurlTransport.Configuration()
                configuration.proxy = .none
                configuration.tls = try servers.policy()
                configuration.allowsHTTP2 = false
                let told = Network(transport: CurlTransport(configuration: configuration))
                #expect(try await told.facts(Endpoint.http2.url("/facts", in: servers)).protocol == "HTTP/1.1")
                #expect(try await network.facts(Endpoint.http1TLS.url("/facts", in: servers)).protocol == "HTTP/1.1")
            }

            @Test(arguments: [HTTPMethod.get, .post, .put])
            func `follows a server that says goodbye after three requests`(method: HTTPMethod) async throws {
                for number in 0..<60 { _ = try await network.facts(brief(number), method: method) }
                try await expectEachOnce(60)
            }

            @Test func `asks again what a server had not begun when it said goodbye`() async throws {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<200 {
                        let url = try brief(number)
                        group.addTask { _ = try await network.facts(url) }
                    }
                    try await group.waitForAll()
                }
                try await expectEachOnce(200)
            }

            private func brief(_ number: Int) throws -> URL {
                try #require(URL(string: "https://localhost:\(servers.briefHTTP2)/facts?\(mark)=\(number)"))
            }

            private func ask(_ count: Int, at url: URL) async throws -> [Facts] {
                try await withThrowingTaskGroup(of: Facts.self) { group in
                    for _ in 0..<count { group.addTask { try await network.facts(url) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }

            private func expectEachOnce(_ count: Int) async throws {
                let lines = try await servers.log(of: mark, over: network)
                #expect(lines.count == count)
                #expect(Set(lines.map(\.target)).count == count)
            }
        }
    }
#endif
