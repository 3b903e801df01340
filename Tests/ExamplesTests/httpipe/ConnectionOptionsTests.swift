import Foundation
import Pipeline
import Testing

@testable import httpipe

struct ConnectionOptionsTests {
    @Test(arguments: [
        ("a.test:443:127.0.0.1", "a.test:443", "127.0.0.1"),
        ("A.test.:80:::1", "a.test:80", "::1"),
        ("a.test:80:[2001:db8::0:1]", "a.test:80", "2001:db8::1"),
    ])
    func `reads where a host is`(text: String, key: String, address: String) throws {
        #expect(try Options("a.test --resolve \(text)").connection.resolve == [key: address])
    }

    @Test(arguments: [
        "a.test", "a.test:443", "a.test:443:", "a.test:0:::1", "a.test:65536:::1", ":443:::1", "a.test:https:::1",
        "a.test:443:b.test", "a.test:443:127.1", "a.test:443:[::1]:80", "a.test:443:[127.0.0.1]", "a/b:443:::1",
        "u@a.test:443:::1",
    ])
    func `refuses what is no place for a host`(text: String) {
        let error = #expect(throws: UsageError.self) { try Options("a.test --resolve \(text)") }
        #expect(
            error?.description == "write --resolve HOST:PORT:ADDRESS, with a name and an IPv4 or IPv6 address"
        )
    }

    @Test(arguments: [
        ("none", ProxyChoice.none),
        ("p.test:3128", .server(URL(string: "http://p.test:3128")!, user: nil, password: nil)),
        ("HTTPS://p.test/", .server(URL(string: "https://p.test")!, user: nil, password: nil)),
        ("socks5h://[::1]:1080", .server(URL(string: "socks5h://[::1]:1080")!, user: nil, password: nil)),
        ("http://u@p.test", .server(URL(string: "http://p.test")!, user: "u", password: nil)),
        ("u:@p.test", .server(URL(string: "http://p.test")!, user: "u", password: "")),
        ("http://a%40b:c%3Ad:/@f@p.test:1", .server(URL(string: "http://p.test:1")!, user: "a@b", password: "c:d:/@f")),
    ])
    func `takes the credentials out of the URL of a proxy`(text: String, choice: ProxyChoice) throws {
        #expect(try Options("a.test --proxy \(text)").connection.proxy == choice)
    }

    @Test(arguments: [
        "ftp://p.test", "http://", "http://u:canary@", "http://u:canary@p.test:x", "http://u:canary@p.test:70000",
        "http://u:canary@p.test/path", "http://u:canary%@p.test", "p.test?canary",
    ])
    func `refuses what is no proxy and does not repeat it`(text: String) {
        let error = #expect(throws: UsageError.self) { try Options("a.test --proxy \(text)") }
        #expect(error?.description.hasPrefix("--proxy") == true)
        #expect(error?.description.contains("can") == false)
    }

    @Test func `shows a proxy without its credentials`() throws {
        let options = try Options("a.test --proxy http://canary:canary@p.test:1")
        #expect(!"\(options)".contains("canary"))
        #expect("\(options.connection.proxy)" == "http://p.test:1")
    }

    @Test func `leaves the rest to the environment and to the servers`() throws {
        let options = try Options("a.test").connection
        #expect(options.proxy == .environment)
        #expect(options.resolve.isEmpty)
        #expect(options.allowsHTTP2)
        #expect(options.demands.isEmpty)
        #expect(try !Options("a.test --http1.1").connection.allowsHTTP2)
    }

    @Test(arguments: [
        "--pin b.test=sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "--cacert roots", "--client-cert c",
        "--client-key k", "--proxy none", "--insecure-host b.test", "--http1.1", "--resolve b.test:1:::1",
    ])
    func `tells a transport that cannot honour an option`(option: String) throws {
        let options = try Options("--transport urlsession a.test \(option)").connection
        let error = #expect(throws: UsageError.self) { try TransportTable.transport(for: options, environment: [:]) }
        let name = option.split(separator: " ")[0]
        #expect(error?.description == "the transport urlsession cannot honour \(name)")
    }

    @Test func `takes the transport that is named`() throws {
        let options = try Options("--transport urlsession a.test").connection
        #expect(try TransportTable.transport(for: options, environment: [:]) is URLSessionTransport)
    }

    #if canImport(Glibc)
        @Test func `takes libcurl unless told otherwise`() throws {
            let options = try Options("a.test").connection
            #expect(try TransportTable.transport(for: options, environment: [:]) is CurlTransport)
        }
    #endif
}
