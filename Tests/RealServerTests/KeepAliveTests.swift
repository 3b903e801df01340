#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension RealServerSuite {
        /// nginx ends connections as its configuration says, while requests are on their way to it.
        struct KeepAliveTests {
            let servers: RealServers
            let network: Network
            let mark = UUID().uuidString

            init() throws {
                servers = try RealServers()
                network = try Network(servers)
            }

            @Test(arguments: [HTTPMethod.get, .post, .put], [Endpoint.plain, .http1TLS])
            func `goes over many short-lived connections, each request once`(
                method: HTTPMethod,
                endpoint: Endpoint
            ) async throws {
                var seen: [Facts] = []
                for number in 0..<100 {
                    let url = try endpoint.url("/three?\(mark)=\(number)", in: servers)
                    seen.append(try await network.facts(url, method: method))
                }
                #expect(Set(seen.map(\.nth)) == ["1", "2", "3"])
                #expect(Set(seen.map(\.connection)).count == 34)
                try await expectEachOnce(100, method)
            }

            @Test(arguments: [HTTPMethod.get, .post], [Endpoint.plain, .http1TLS])
            func `goes over them with many requests at once, each once`(
                method: HTTPMethod,
                endpoint: Endpoint
            ) async throws {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<300 {
                        let url = try endpoint.url("/three?\(mark)=\(number)", in: servers)
                        group.addTask { _ = try await network.facts(url, method: method) }
                    }
                    try await group.waitForAll()
                }
                try await expectEachOnce(300, method)
            }

            @Test(arguments: [Endpoint.plain, .http1TLS])
            func `connects anew where the server keeps no connection`(endpoint: Endpoint) async throws {
                var connections: Set<String> = []
                for _ in 0..<30 {
                    connections.insert(try await network.facts(endpoint.url("/once", in: servers)).connection)
                }
                #expect(connections.count == 30)
            }

            @Test(arguments: [Endpoint.plain, .http1TLS])
            func `survives connections that end while they are used again`(endpoint: Endpoint) async throws {
                // The server closes after a millisecond of rest: now before, now after, and now while the next request comes.
                for number in 0..<500 {
                    _ = try await network.facts(endpoint.url("/restless?\(mark)=\(number)", in: servers))
                    for _ in 0..<(number % 4) { _ = try await network.facts(Endpoint.plain.url("/facts", in: servers)) }
                }
                try await expectEachOnce(500, .get)
            }

            @Test(arguments: Endpoint.allCases)
            func `keeps a connection after every kind of answer`(endpoint: Endpoint) async throws {
                let first = try await network.facts(endpoint.url("/facts", in: servers))
                for path in ["/status/204", "/status/404", "/status/503", "/status/302", "/files/none", "/files/text"] {
                    var request = NetworkRequest(url: try endpoint.url(path, in: servers))
                    request.acceptableStatuses = .all
                    request.redirectPolicy = RedirectPolicy(.handBack)
                    _ = try await network.send(request)
                }
                _ = try await network.send(NetworkRequest(method: .head, url: endpoint.url("/files/text", in: servers)))
                let last = try await network.facts(endpoint.url("/facts", in: servers))
                #expect(last.connection == first.connection)
                #expect(last.nth == "9")
            }

            private func expectEachOnce(_ count: Int, _ method: HTTPMethod) async throws {
                let lines = try await servers.log(of: mark, over: network)
                #expect(lines.count == count)
                #expect(Set(lines.map(\.target)).count == count)
                #expect(Set(lines.map(\.method)) == [method.rawValue])
            }
        }
    }
#endif
