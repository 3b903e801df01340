#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    extension RealServerSuite {
        /// tinyproxy between us and nginx: one for everybody, one that asks for a password.
        struct ProxyTests {
            let servers: RealServers

            init() throws { servers = try RealServers() }

            @Test(arguments: Endpoint.allCases)
            func `goes through the proxy it is told of, again and again`(endpoint: Endpoint) async throws {
                let network = try Network(servers, proxy: servers.proxy(servers.openProxy))
                let before = try servers.text("open.log").count
                let headers: HTTPHeaders = ["X-Secret": "s3cret", "Authorization": "Bearer t0ken"]
                for _ in 0..<10 {
                    let response = try await network.send(
                        NetworkRequest(url: endpoint.url("/facts", in: servers), headers: headers)
                    )
                    let facts = try await Facts(response)
                    #expect(response.version == endpoint.version)
                    #expect(response.metrics?.remoteAddress == "127.0.0.1:\(servers.openProxy)")
                    #expect(facts.secret == "s3cret")
                    #expect(facts.authorization == "Bearer t0ken")
                    #expect(facts.wentThroughProxy == (endpoint == .plain))
                }
                let log = try servers.text("open.log").dropFirst(before)
                let asked = endpoint == .plain ? "GET \(try endpoint.url("/facts", in: servers))" : "CONNECT localhost:"
                #expect(log.contains(asked))
                #expect(!log.contains("s3cret") && !log.contains("t0ken"))
            }

            @Test(arguments: Endpoint.allCases)
            func `shows its password to the proxy and never to the server`(endpoint: Endpoint) async throws {
                let network = try Network(servers, proxy: servers.closedProxyWithPassword())
                let mark = UUID().uuidString
                for method in [HTTPMethod.get, .post] {
                    let facts = try await network.facts(endpoint.url("/facts?\(mark)", in: servers), method: method)
                    #expect(facts.proxyAuthorization == "")
                    #expect(facts.authorization == "")
                }
                let lines = try await servers.log(of: mark, over: network)
                #expect(lines.map(\.proxyAuthorization) == ["", ""])
                #expect(lines.map(\.authorization) == ["", ""])
            }

            @Test(arguments: ["localhost", "elsewhere.test,localhost", "*"])
            func `asks those directly that are excluded, without the password`(exclusions: String) async throws {
                let proxy = try CurlTransport.Proxy.server(
                    servers.proxyURL(servers.closedProxy),
                    user: servers.proxyUser,
                    password: servers.proxyPassword,
                    exclusions: exclusions.split(separator: ",").map(String.init)
                )
                let network = try Network(servers, proxy: proxy)
                for endpoint in Endpoint.allCases {
                    let response = try await network.send(NetworkRequest(url: endpoint.url("/facts", in: servers)))
                    #expect(response.metrics?.remoteAddress == "127.0.0.1:\(endpoint.port(in: servers))")
                    #expect(try await Facts(response).proxyAuthorization == "")
                }
            }

            @Test func `excludes a host and those below it, and no others`() async throws {
                // Over the one that has no password to give, so a request that goes through it is refused.
                let proxy = try CurlTransport.Proxy.server(
                    servers.proxyURL(servers.closedProxy),
                    exclusions: ["host", "local", "notlocalhost", "localhost.test"]
                )
                var request = NetworkRequest(url: try Endpoint.plain.url("/facts", in: servers))
                request.acceptableStatuses = .all
                #expect(try await Network(servers, proxy: proxy).send(request).status.code == 407)
            }

            // tinyproxy has a status of its own for a password that is wrong.
            @Test(arguments: [(nil, 407), ("wrong", 401)])
            func `is turned away without the right password`(password: String?, status: Int) async throws {
                let proxy = try CurlTransport.Proxy.server(
                    servers.proxyURL(servers.closedProxy),
                    user: password.map { _ in servers.proxyUser },
                    password: password
                )
                let network = try Network(servers, proxy: proxy)
                let mark = UUID().uuidString
                for endpoint in Endpoint.allCases {
                    let url = try endpoint.url("/facts?\(mark)", in: servers)
                    let error = await #expect(throws: NetworkError.self) { try await network.facts(url) }
                    if endpoint == .plain {
                        // To a proxy that answers for the server, this is an answer like any other.
                        #expect(error?.code == .unacceptableStatus)
                        #expect(error?.statusCode == status)
                    } else {
                        #expect(error?.code == .proxyFailed)
                        #expect(error?.reach == .no)
                        #expect(error?.explanation?.contains("\(status)") == true)
                    }
                }
                #expect(try await servers.log(of: mark, over: Network(servers)).isEmpty)
            }

            @Test(arguments: Endpoint.allCases)
            func `says that it is the proxy that is not there`(endpoint: Endpoint) async throws {
                let network = try Network(servers, proxy: servers.proxy(LoopbackServer.unusedPort()))
                let url = try endpoint.url("/facts", in: servers)
                let error = await #expect(throws: NetworkError.self) { try await network.facts(url) }
                #expect(error?.code == .proxyFailed)
                #expect(error?.reach == .no)
            }

            @Test(arguments: Endpoint.allCases)
            func `says of a server behind a proxy that it is not there`(endpoint: Endpoint) async throws {
                let network = try Network(servers, proxy: servers.proxy(servers.openProxy))
                let url = try #require(URL(string: "\(endpoint.scheme)://localhost:\(LoopbackServer.unusedPort())/"))
                let error = await #expect(throws: NetworkError.self) { try await network.facts(url) }
                if endpoint == .plain {
                    #expect(try (500...599).contains(#require(error?.statusCode)))
                } else {
                    #expect(error?.code == .proxyFailed)
                    #expect(error?.reach == .no)
                }
            }

            @Test func `tells the proxy of an https request nothing but where to`() async throws {
                let proxy = try LoopbackServer()
                proxy.handle { _ in .status(502) }
                let password = "p@ss:w%6Frd é"
                let network = try Network(servers, proxy: .server(proxy.url, user: "us er", password: password))
                let headers: HTTPHeaders = [
                    "Authorization": "Bearer t0ken", "Cookie": "a=b", "X-Secret": "s3cret", "User-Agent": "Own/1",
                ]
                let url = try Endpoint.http2.url("/facts?key=s3cret", in: servers)
                let error = await #expect(throws: NetworkError.self) { try await network.facts(url, headers: headers) }
                #expect(error?.code == .proxyFailed)
                #expect(error?.reach == .no)

                let request = try #require(proxy.requests.first)
                #expect(proxy.requests.count == 1)
                #expect(request.method == "CONNECT")
                #expect(request.target == "localhost:\(servers.http2)")
                let names = Set(request.headers.map { $0.name.lowercased() })
                #expect(names.isSubset(of: ["host", "proxy-authorization", "user-agent", "proxy-connection"]))
                #expect(request.first(of: "User-Agent") == "Pipeline")
                let credentials = Data("us er:\(password)".utf8).base64EncodedString()
                #expect(request.values(of: "Proxy-Authorization") == ["Basic \(credentials)"])
            }
        }
    }

    extension RealServers {
        func proxyURL(_ port: Int) throws -> URL { try #require(URL(string: "http://127.0.0.1:\(port)")) }

        func proxy(_ port: Int) throws -> CurlTransport.Proxy { .server(try proxyURL(port)) }

        func closedProxyWithPassword() throws -> CurlTransport.Proxy {
            .server(try proxyURL(closedProxy), user: proxyUser, password: proxyPassword)
        }
    }
#endif
