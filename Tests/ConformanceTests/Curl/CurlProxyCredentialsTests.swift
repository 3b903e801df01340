#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import Testing

    @Suite(.timeLimit(.minutes(3)))
    struct CurlProxyCredentialsTests {
        @Test(arguments: [
            ("user", "pass"), ("user", "a:b@c/d"), ("us er", "50%25 off%6F"), ("ünë", "pässwörd"), ("u%", "%"),
        ])
        func `reach the proxy as they are, twice in a row`(user: String, password: String) async throws {
            let proxy = try LoopbackServer()
            proxy.handle { _ in .text("through") }
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .server(proxy.url, user: user, password: password)
            let transport = CurlTransport(configuration: configuration)
            let url = try #require(URL(string: "http://origin.invalid/"))

            for _ in 0..<2 { _ = try await transport.send(NetworkRequest(url: url)) }

            let credentials = "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
            let seen = proxy.requests.map { $0.values(of: "Proxy-Authorization") }
            #expect(seen == [[credentials], [credentials]])
        }
    }
#endif
