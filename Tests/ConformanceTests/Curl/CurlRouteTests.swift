#if canImport(Glibc)
    import Foundation
    import Glibc
    import Pipeline
    import PipelineTesting
    import Testing

    /// Where requests go when the configuration has a say in it.
    @Suite(.timeLimit(.minutes(3)))
    struct CurlRouteTests {
        private func transport(_ configure: (inout CurlTransport.Configuration) -> Void) -> CurlTransport {
            var configuration = CurlTransport.Configuration()
            configure(&configuration)
            return CurlTransport(configuration: configuration)
        }

        @Test func `asks no resolver about a host whose address it was given`() async throws {
            let server = try LoopbackServer()
            server.handle { request in .text(request.first(of: "Host") ?? "") }
            let transport = transport { $0.resolve = ["api.invalid:\(server.port)": "127.0.0.1"] }
            let url = try #require(URL(string: "http://api.invalid:\(server.port)/"))

            let response = try await transport.send(NetworkRequest(url: url))

            #expect(try await response.body.collect() == Data("api.invalid:\(server.port)".utf8))
        }

        @Test(arguments: ["http://bücher.invalid", "http://xn--bcher-kva.invalid"])
        func `sends to a name in any script, in punycode`(address: String) async throws {
            let server = try LoopbackServer()
            server.handle { request in .text(request.first(of: "Host") ?? "") }
            let transport = transport { $0.resolve = ["xn--bcher-kva.invalid:\(server.port)": "127.0.0.1"] }
            let url = try #require(URL(string: "\(address):\(server.port)/"))

            let response = try await transport.send(NetworkRequest(url: url))

            #expect(try await response.body.collect() == Data("xn--bcher-kva.invalid:\(server.port)".utf8))
        }

        @Test func `says who it is, unless the request does or nobody should`() async throws {
            let server = try LoopbackServer()
            server.handle { request in .text(request.values(of: "User-Agent").joined(separator: "|")) }
            func agent(_ transport: CurlTransport, _ headers: HTTPHeaders = [:]) async throws -> String {
                let request = NetworkRequest(url: server.url, headers: headers)
                return String(decoding: try await transport.send(request).body.collect(), as: UTF8.self)
            }

            #expect(try await agent(CurlTransport()) == "Pipeline")
            #expect(try await agent(CurlTransport(), [.userAgent: "Own/1"]) == "Own/1")
            #expect(try await agent(transport { $0.userAgent = nil }) == "")
            #expect(try await agent(transport { $0.userAgent = "" }) == "")
            for split in ["a\r\nX-Other: b", " a"] {
                let error = await #expect(throws: NetworkError.self) {
                    try await agent(transport { $0.userAgent = split })
                }
                #expect(error?.code == .invalidRequest)
            }
        }

        @Test func `hands a plain request to a proxy, whose credentials are the proxy's alone`() async throws {
            let proxy = try LoopbackServer()
            proxy.handle { _ in .text("through") }
            let transport = transport { $0.proxy = .server(proxy.url, user: "ann", password: "secret") }
            let url = try #require(URL(string: "http://origin.invalid/a?b=c"))

            let response = try await transport.send(NetworkRequest(url: url, headers: ["X-Own": "1"]))
            #expect(proxy.requests.map { $0.values(of: "User-Agent") } == [["Pipeline"]])

            #expect(try await response.body.collect() == Data("through".utf8))
            let request = await proxy.nextRequest()
            #expect(request.target == "http://origin.invalid/a?b=c")
            #expect(request.values(of: "Proxy-Authorization") == ["Basic YW5uOnNlY3JldA=="])
            #expect(request.values(of: "X-Own") == ["1"])
        }

        @Test func `asks a host that is excluded from the proxy itself, without the proxy's credentials`() async throws
        {
            let proxy = try LoopbackServer()
            let server = try LoopbackServer()
            server.handle { _ in .text("direct") }
            let transport = transport {
                $0.proxy = .server(proxy.url, user: "ann", password: "secret", exclusions: ["127.0.0.1"])
            }

            let response = try await transport.send(NetworkRequest(url: server.url))

            #expect(try await response.body.collect() == Data("direct".utf8))
            #expect(await server.nextRequest().values(of: "Proxy-Authorization") == [])
            #expect(proxy.requests.isEmpty)
        }

        @Test func `tells a proxy that refuses to relay, and nothing of the request reaches it`() async throws {
            let proxy = try LoopbackServer()
            proxy.handle { _ in .status(407, headers: ["Proxy-Authenticate": "Basic realm=\"a\""], body: "no") }
            let transport = transport { $0.proxy = .server(proxy.url) }
            let url = try #require(URL(string: "https://origin.invalid/secret-path"))

            let error = await #expect(throws: NetworkError.self) {
                try await transport.send(NetworkRequest(url: url, headers: [.authorization: "Bearer secret"]))
            }

            #expect(error?.code == .proxyFailed)
            #expect(error?.reach == .no)
            let request = await proxy.nextRequest()
            #expect(request.method == "CONNECT")
            #expect(request.values(of: "User-Agent") == ["Pipeline"])
            #expect(request.values(of: "Authorization") == [])
            #expect(!request.target.contains("secret"))
        }

        @Test func `tells a proxy that is not there`() async throws {
            let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())"))
            let transport = transport { $0.proxy = .server(url) }
            let origin = try #require(URL(string: "http://origin.invalid/"))

            let error = await #expect(throws: NetworkError.self) {
                try await transport.send(NetworkRequest(url: origin))
            }

            #expect(error?.code == .proxyFailed)
            #expect(error?.reach == .no)
        }

        @Test func `shows no credentials of a proxy`() throws {
            let url = try #require(URL(string: "http://proxy.test"))
            let proxy = CurlTransport.Proxy.server(url, user: "ann", password: "secret")
            var text = ""
            dump(proxy, to: &text)
            text += "\(proxy) \(String(reflecting: proxy))"
            #expect(!text.contains("ann") && !text.contains("secret"))
        }

        @Test func `sends over a Unix-domain socket`() async throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("socket-\(UUID().uuidString)").path
            let listener = try UnixListener(path: path)
            let transport = transport { $0.unixSocket = path }
            let url = try #require(URL(string: "http://docker.invalid/version"))
            async let head = listener.answerOnce(with: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nunix")

            let response = try await transport.send(NetworkRequest(url: url))

            #expect(try await response.body.collect() == Data("unix".utf8))
            #expect(try await head.hasPrefix("GET /version HTTP/1.1\r\nHost: docker.invalid\r\n"))
        }
    }

    /// A Unix-domain socket that answers one request.
    private final class UnixListener: Sendable {
        private let descriptor: Int32
        private let path: String

        struct Failure: Error {}

        init(path: String) throws {
            self.path = path
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard code == 0, listen(descriptor, 4) == 0 else { throw Failure() }
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        /// Answers the first request, and returns its head.
        func answerOnce(with answer: String) async throws -> String {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async { [descriptor] in
                    let connection = accept(descriptor, nil, nil)
                    guard connection >= 0 else { return continuation.resume(throwing: Failure()) }
                    defer { close(connection) }
                    var head = ""
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while !head.contains("\r\n\r\n") {
                        let count = read(connection, &buffer, buffer.count)
                        guard count > 0 else { return continuation.resume(throwing: Failure()) }
                        head += String(decoding: buffer[..<count], as: UTF8.self)
                    }
                    _ = Array(answer.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
                    continuation.resume(returning: head)
                }
            }
        }
    }
#endif
