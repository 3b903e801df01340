#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    /// One request after another over the same handle, which keeps the last URL taken apart.
    @Suite(.timeLimit(.minutes(3)))
    struct CurlAddressTests {
        private static let targets = [
            "/", "/a", "/a?b=c", "/a", "/?b", "/a?", "/a?b=/../c?d", "//a//b", "/a/../b/./c", "/%2F%2f?%C3%A9", "/b",
            "/b?x=%20y", "/b?x=y", "/a|b", "/a;b=c,d:e@f!$&'()*+", "/a?[]", "/",
        ]

        @Test func `sends every target as it is, whatever the last one was`() async throws {
            let server = try LoopbackServer()
            server.handle { request in .text(request.target) }
            let transport = CurlTransport()

            for target in Self.targets {
                let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(target)"))
                let response = try await transport.send(NetworkRequest(url: url))
                #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == target.escaped)
            }
            #expect(server.requests.allSatisfy { $0.connectionID == 1 })
        }

        @Test(arguments: [1, 200, 480, 520, 5_000])
        func `sends a message of any length`(length: Int) async throws {
            let server = try LoopbackServer()
            server.handle { request in .text(request.target + (request.first(of: "X-Last") ?? "")) }
            let text = String(repeating: "x", count: length)
            let target = "/\(text)?\(text)"
            let headers: HTTPHeaders = ["X-First": text, "X-Empty": "", "X-Last": text]

            let answer = try await CurlTransport().send(NetworkRequest(url: server.url(target), headers: headers))

            #expect(String(decoding: try await answer.body.collect(), as: UTF8.self) == target + text)
            let first = try #require(server.requests.first)
            #expect([first.first(of: "X-First"), first.first(of: "X-Empty")] == [text, ""])
        }

        @Test func `sends to every origin in turn, with a path and without`() async throws {
            let servers = [try LoopbackServer(), try LoopbackServer()]
            for server in servers {
                server.handle { request in .text((request.first(of: "Host") ?? "") + request.target) }
            }
            let transport = CurlTransport()

            let hosts = servers.map { "127.0.0.1:\($0.port)" } + ["localhost:\(servers[0].port)"]
            for round in 0..<3 {
                for (host, path) in zip(hosts + hosts, ["/\(round)", "", "/a?b", "?c", "/%41", ""]) {
                    let url = try #require(URL(string: "http://\(host)\(path)"))
                    let answer = try await transport.send(NetworkRequest(url: url)).body.collect()
                    let target = path.hasPrefix("/") ? path : "/" + path
                    #expect(String(decoding: answer, as: UTF8.self) == host + target)
                }
            }
        }

        @Test func `sends the same target again when a used connection dies`() async throws {
            let server = try LoopbackServer()
            server.handle { request in
                if request.connectionID == 1, request.index == 2 { [.close] } else { .text(request.target) }
            }
            let transport = CurlTransport()

            for target in ["/first?a", "/second", "/third?b", "/fourth"] {
                let response = try await transport.send(NetworkRequest(url: server.url(target)))
                #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == target)
            }
            #expect(server.requests.map(\.target) == ["/first?a", "/second", "/third?b", "/third?b", "/fourth"])
        }
    }

    extension String {
        /// As Foundation makes it a part of a URL.
        fileprivate var escaped: String {
            replacingOccurrences(of: "|", with: "%7C").replacingOccurrences(of: "[]", with: "%5B%5D")
        }
    }
#endif
