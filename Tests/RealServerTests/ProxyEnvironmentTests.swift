#if canImport(Glibc)
    import Foundation
    import Pipeline
    import Testing

    extension RealServerSuite {
        /// What `http_proxy` and its kin say. A program has one environment, so each case is a run of httpipe.
        struct ProxyEnvironmentTests {
            let servers: RealServers

            init() throws { servers = try RealServers() }

            @Test(arguments: [
                (["http_proxy": "OPEN"], true),
                (["http_proxy": "OPEN", "no_proxy": "example.com"], true),
                (["http_proxy": "OPEN", "no_proxy": "example.com, localhost"], false),
                (["http_proxy": "OPEN", "NO_PROXY": "localhost"], false),
                (["http_proxy": "OPEN", "no_proxy": "*"], false),
                (["ALL_PROXY": "OPEN"], true),
                (["https_proxy": "OPEN"], false),
                // A server that runs programs (CGI) sets this from a field of a request (CVE-2016-5385).
                (["HTTP_PROXY": "OPEN"], false),
                ([:], false),
            ])
            func `names the proxy of plain requests`(variables: [String: String], isProxied: Bool) async throws {
                let facts = try await facts(of: Endpoint.plain, environment(variables))
                #expect(facts.wentThroughProxy == isProxied)
            }

            @Test(arguments: [
                (["https_proxy": "OPEN"], true),
                (["HTTPS_PROXY": "OPEN"], true),
                (["all_proxy": "OPEN"], true),
                (["HTTPS_PROXY": "OPEN", "NO_PROXY": "localhost"], false),
                (["http_proxy": "OPEN"], false),
            ])
            func `names the proxy of https requests`(variables: [String: String], isProxied: Bool) async throws {
                let before = try servers.text("open.log").count
                let facts = try await facts(of: Endpoint.http2, environment(variables))
                #expect(facts.protocol == "HTTP/2.0")
                let log = try servers.text("open.log").dropFirst(before)
                #expect(log.contains("CONNECT localhost:\(servers.http2)") == isProxied)
            }

            @Test(arguments: Endpoint.allCases)
            func `can hold a password, which no server and no log sees`(endpoint: Endpoint) async throws {
                let mark = UUID().uuidString
                let address = "http://user:pass-w0rd@127.0.0.1:\(servers.closedProxy)"
                let run = try await run(
                    endpoint.url("/facts?\(mark)", in: servers),
                    "--log",
                    "verbose",
                    environment: ["http_proxy": address, "https_proxy": address]
                )
                #expect(!run.errors.contains("pass-w0rd"))
                let line = try #require(try await servers.log(of: mark, over: Network(servers)).first)
                #expect(line.proxyAuthorization == "")
                #expect(line.authorization == "")
            }

            private func facts(of endpoint: Endpoint, _ environment: [String: String]) async throws -> Facts {
                let run = try await run(endpoint.url("/facts", in: servers), environment: environment)
                return try JSONDecoder().decode(Facts.self, from: run.output)
            }

            /// Runs httpipe, which must succeed.
            private func run(_ url: URL, _ options: String..., environment: [String: String]) async throws
                -> HTTPipe.Run
            {
                let authority = "\(servers.folder)/authority.pem"
                let run = try await HTTPipe.run(["\(url)", "--cacert", authority] + options, environment: environment)
                try #require(run.status == 0, "\(run.errors)")
                return run
            }

            /// Fills in where the proxy is.
            private func environment(_ variables: [String: String]) -> [String: String] {
                variables.mapValues { $0 == "OPEN" ? "http://127.0.0.1:\(servers.openProxy)" : $0 }
            }
        }
    }
#endif
