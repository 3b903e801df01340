#if canImport(Glibc)
    import Foundation
    import PipelineTesting
    import Testing

    /// How the program reaches a server, as the server sees it.
    @Suite(.timeLimit(.minutes(3)))
    struct ConnectionRunTests {
        let server: LoopbackServer

        init() throws { server = try LoopbackServer() }

        private var address: String { "127.0.0.1:\(server.port)" }

        @Test func `finds a host where it is told to look`() async throws {
            server.handle("GET", "/x") { _ in .text("found") }
            let place = "made-up.test:\(server.port)"
            let run = try await Program.run("http://\(place)/x", "--resolve", "\(place):127.0.0.1")
            #expect(run.text == "found", "\(run.errors)")
            #expect(run.status == 0)
            #expect(server.requests.first?.first(of: "Host") == place)
        }

        @Test(arguments: ["::1", "[::1]"])
        func `finds a host at an IPv6 address`(text: String) async throws {
            let server = try LoopbackServer(address: .ipv6)
            server.handle("GET", "/") { _ in .text("found") }
            let place = "made-up.test:\(server.port)"
            let run = try await Program.run("http://\(place)/", "--resolve", "\(place):\(text)")
            #expect(run.text == "found", "\(run.errors)")
        }

        @Test func `hands a plain request to the proxy, and credentials to nobody else`() async throws {
            server.handle("GET", "/x") { _ in .text("by proxy") }
            let proxy = "http://user:can%40ary@\(address)"
            let run = try await Program.run("http://made-up.test/x?y=1", "--proxy", proxy, "--log", "verbose")
            #expect(run.text == "by proxy", "\(run.errors)")
            let request = try #require(server.requests.first)
            #expect(request.target == "http://made-up.test/x?y=1")
            #expect(request.first(of: "Host") == "made-up.test")
            let credentials = Data("user:can@ary".utf8).base64EncodedString()
            #expect(request.values(of: "Proxy-Authorization") == ["Basic \(credentials)"])
            #expect(request.first(of: "Authorization") == nil)
            for secret in ["can@ary", "can%40ary", credentials] { #expect(!run.errors.contains(secret)) }

            let direct = try await Program.run("\(address)/x")
            #expect(direct.status == 0, "\(direct.errors)")
            #expect(server.requests.last?.first(of: "Proxy-Authorization") == nil)
        }

        @Test func `asks a proxy to relay to an https server, and keeps the request to itself`() async throws {
            server.handle { _ in .status(403) }
            let proxy = "http://user:canary@\(address)"
            let run = try await Program.run("https://made-up.test/x", "--proxy", proxy, "-H", "Authorization: secret")
            #expect(run.errors.hasPrefix("error: proxy-failed: "), "\(run.errors)")
            #expect(!run.errors.contains("canary"))
            #expect(run.status == 6)
            let request = try #require(server.requests.first)
            #expect(request.method == "CONNECT")
            #expect(request.target == "made-up.test:443")
            #expect(request.first(of: "Proxy-Authorization") != nil)
            #expect(request.first(of: "Authorization") == nil)
            #expect(server.requests.count == 1)
        }

        @Test func `tells that there is no proxy without telling its credentials`() async throws {
            let port = LoopbackServer.unusedPort()
            let run = try await Program.run("http://made-up.test/", "--proxy", "http://user:canary@127.0.0.1:\(port)")
            #expect(run.errors.hasPrefix("error: proxy-failed: "), "\(run.errors)")
            #expect(!run.errors.contains("canary"))
            #expect(run.status == 6)
        }

        @Test func `takes the proxy of the environment unless told otherwise`() async throws {
            let proxy = try LoopbackServer()
            server.handle("GET", "/") { _ in .text("direct") }
            proxy.handle("GET", "/") { _ in .text("by proxy") }
            let environment = ["http_proxy": proxy.url.absoluteString]
            #expect(try await Program([address], environment: environment).end().text == "by proxy")
            let direct = try await Program([address, "--proxy", "none"], environment: environment).end()
            #expect(direct.text == "direct")
        }

        @Test func `tells times and sizes at the end`() async throws {
            let size = 1_000_000  // More than is read ahead of whoever takes the body.
            server.handle("POST", "/") { _ in .status(200, body: Data(repeating: 10, count: size)) }
            let run = try await Program.run(address, "--body", "abc", "--metrics")
            #expect(run.output.count == size)
            let lines = run.errors.split(separator: "\n").map(String.init)
            let facts = [
                "* sent: 3 bytes", "* received: \(size) bytes", "* connection: new", "* protocol: HTTP/1.1",
                "* address: \(address)",
            ]
            #expect(lines.filter(facts.contains) == facts, "\(run.errors)")
            let times = ["queue", "lookup", "connect", "first byte", "total"]
            for name in times {
                #expect(lines.contains { $0.hasPrefix("* \(name): ") && $0.hasSuffix(" ms") }, "\(name)")
            }
            #expect(lines.count == facts.count + times.count, "\(run.errors)")
        }

        @Test func `speaks HTTP/1.1`() async throws {
            server.handle("GET", "/") { _ in .text("hi") }
            let run = try await Program.run(address, "--http1.1", "-i")
            #expect(run.text.hasPrefix("HTTP/1.1 200 OK\n"), "\(run.errors)")
        }

        @Test func `sends nothing unprotected to a pinned host`() async throws {
            server.handle("GET", "/") { _ in .text("hi") }
            let pin = "127.0.0.1=sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
            let run = try await Program.run(address, "--pin", pin)
            #expect(run.errors.hasPrefix("error: pin-mismatch: "), "\(run.errors)")
            #expect(run.status == 8)
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: [
            (["pins", "http://a.test"], "pins takes an https URL"),
            (["pins", "a.test", "--transport", "urlsession"], "this transport cannot tell pins"),
            (["pins", "a.test", "--body", "x"], "pins sends no request and takes no --body"),
            (["--transport=urlsession", "a.test", "--http1.1"], "the transport urlsession cannot honour --http1.1"),
            (["a.test", "--cacert", "/no/such/file"], "--cacert /no/such/file: the file cannot be read"),
        ])
        func `says what cannot be meant`(arguments: [String], complaint: String) async throws {
            let run = try await Program(arguments).end()
            #expect(run.errors == "error: usage: \(complaint); see httpipe --help\n")
            #expect(run.text == "")
            #expect(run.status == 9)
        }

        @Test func `lists no pins of what speaks no TLS, and sends it no request`() async throws {
            let place = "made-up.test:\(server.port)"
            let run = try await Program.run("pins", place, "--resolve", "\(place):127.0.0.1")
            #expect(run.errors.hasPrefix("error: tls-handshake: "), "\(run.errors)")
            #expect(run.text == "")
            #expect(run.status == 8)
            #expect(server.requests.isEmpty)
        }

        @Test func `lists no pins of a server that is not there`() async throws {
            let run = try await Program.run("pins", "127.0.0.1:\(LoopbackServer.unusedPort())")
            #expect(run.errors.hasPrefix("error: connection-refused: "), "\(run.errors)")
            #expect(run.status == 6)
        }

        @Test func `looks for pins by way of a proxy`() async throws {
            server.handle { _ in .status(403) }
            let run = try await Program.run("pins", "made-up.test", "--proxy", "http://user:canary@\(address)")
            #expect(run.errors.hasPrefix("error: proxy-failed: "), "\(run.errors)")
            #expect(!run.errors.contains("canary"))
            #expect(run.status == 6)
            #expect(server.requests.first?.target == "made-up.test:443")
        }
    }
#endif
