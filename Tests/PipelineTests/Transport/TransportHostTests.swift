import Foundation
import Pipeline
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct TransportHostTests {
    #if canImport(Glibc)
        typealias Configuration = CurlTransport.Configuration

        static let direct = configuration { $0.proxy = .none }
        static let socket = configuration { $0.unixSocket = "/run/api.sock" }

        static func configuration(_ change: (inout Configuration) -> Void) -> Configuration {
            var configuration = Configuration()
            change(&configuration)
            return configuration
        }

        /// One that was given addresses for a host.
        static func resolved(_ addresses: String) -> Configuration {
            configuration {
                $0.proxy = .none
                $0.resolve = ["api.example.com:80": addresses]
            }
        }

        static func proxied(exclusions: [String] = []) -> Configuration {
            let url = URL(string: "http://Proxy.example.com:3128")!
            return configuration { $0.proxy = .server(url, exclusions: exclusions) }
        }

        @Test(arguments: [
            ("https://api.example.com", direct, "api.example.com"),
            ("http://[2001:db8::1]:8080", direct, "2001:db8::1"),
            ("http://127.0.0.1", direct, nil), ("http://127.0.0.1", Configuration(), nil),
            ("http://api.localhost", direct, nil), ("http://api.example.com", socket, nil),
            ("http://api.example.com", resolved("198.51.100.7"), "198.51.100.7"),
            ("http://api.example.com", resolved("198.51.100.7,127.0.0.1"), nil),
            ("http://api.example.com", proxied(), "proxy.example.com"),
            ("http://api.example.com", proxied(exclusions: ["example.com"]), nil),
        ])
        func `knows where libcurl will connect to, or that it cannot know`(
            origin: String,
            configuration: Configuration,
            host: String?
        ) throws {
            #expect(CurlTransport(configuration: configuration).host(for: try #require(Origin(origin))) == host)
        }
    #endif

    @Test func `knows that a session of one's own may go elsewhere`() throws {
        let origin = try #require(Origin("https://api.example.com"))
        let proxied = URLSessionConfiguration.ephemeral
        proxied.connectionProxyDictionary = ["HTTPEnable": 1]
        #expect(URLSessionTransport(configuration: proxied).host(for: origin) == nil)
        let answered = URLSessionConfiguration.ephemeral
        answered.protocolClasses = [AnsweringProtocol.self] + (answered.protocolClasses ?? [])
        #expect(URLSessionTransport(configuration: answered).host(for: origin) == nil)
        #expect(URLSessionTransport().host(for: try #require(Origin("http://127.0.0.1:80"))) == nil)
    }

    private final class AnsweringProtocol: URLProtocol {}
}
