import Foundation
import Pipeline
import Testing

struct TLSPolicyTests {
    private static let pin: Pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    /// How a policy names a host, and that host as the origin of a URL has it.
    private static let same = [
        ("api.test", "api.test"), ("API.Test", "api.test"), ("api.test.", "api.test"), ("API.TEST.", "api.test"),
        ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"),
        ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8:0:0::0001", "2001:db8::1"), ("[2001:DB8::1]", "2001:db8::1"),
        ("xn--bcher-kva.test", "xn--bcher-kva.test"), ("bücher.test", "xn--bcher-kva.test"), ("a_b.test", "a_b.test"),
    ]

    /// B38: whole names only.
    private static let different = [
        ("api.test", "b.api.test"), ("b.api.test", "api.test"), ("api.test", "notapi.test"),
        ("api.test", "api.test.evil.test"), ("api.test", "api-test"), ("test", "api.test"),
        (".api.test", "b.api.test"), ("127.0.0.1", "127.1"), ("127.1", "127.0.0.1"), ("::1", "::2"),
    ]

    private static let none = [
        "", ".", "api.test/", "api.test:443", "user@api.test", "https://api.test", "*.test", "*", "api.test#",
        "api.test?",
        "api test", "api.test\\", "[api.test]", "[::1]:443", "[::1", "::1]", "api.test\n", "api%2Ftest", ":443",
    ]

    @Test(arguments: same)
    func `finds the rule of a host however its name is written`(name: String, host: String) {
        #expect(TLSPolicy(pins: [name: [Self.pin]]).pins(for: host) == [Self.pin])
        #expect(TLSPolicy(insecureHost: name).isInsecure(host))
    }

    @Test(arguments: different)
    func `takes no host for another`(name: String, host: String) {
        #expect(TLSPolicy(pins: [name: [Self.pin]]).pins(for: host) == nil)
        #expect(!TLSPolicy(insecureHost: name).isInsecure(host))
    }

    @Test(arguments: none)
    func `refuses a name that is no host, for nothing would keep its rule`(name: String) {
        for policy in [TLSPolicy(pins: [name: [Self.pin]]), TLSPolicy(insecureHost: name)] {
            let error = #expect(throws: MalformedValue.self) { try policy.check() }
            #expect(error?.kind == "host of a TLS policy")
            #expect(policy.pins(for: "api.test") == nil)
            #expect(!policy.isInsecure("api.test"))
        }
    }

    @Test func `refuses no name that is one`() {
        for (name, _) in Self.same + Self.different {
            #expect(throws: Never.self) { try TLSPolicy(pins: [name: []], insecureHost: name).check() }
        }
    }

    @Test func `a request whose policy names no host is refused`() async throws {
        var request = NetworkRequest(url: try #require(URL(string: "https://api.test/")))
        request.tls = TLSPolicy(pins: ["https://api.test": [Self.pin]])

        let error = await #expect(throws: NetworkError.self) { try await URLSessionTransport().send(request) }

        #expect(error?.code == .invalidRequest)
        #expect(error?.reach == .no)
    }

    @Test func `tells a host without a rule from one with no pins`() {
        let policy = TLSPolicy(pins: ["api.test": []])

        #expect(policy.pins(for: "api.test") == [])
        #expect(policy.pins(for: "other.test") == nil)
    }

    @Test func `asks for nothing unless told otherwise`() {
        let policy = TLSPolicy()

        #expect(policy.minimumVersion == nil)
        #expect(policy.roots == .system)
        #expect(policy.clientIdentity == nil)
        #expect(policy.pins(for: "api.test") == nil)
        #expect(!policy.isInsecure("api.test"))
        #expect(!policy.isInsecure(""))
    }

    @Test func `orders versions by age`() {
        #expect(TLSPolicy.Version.tls1_2 < .tls1_3)
    }

    @Test func `differs by every part`() throws {
        let certificate = Certificate(der: Data([0x30, 0x00]))
        let identity = ClientIdentity.pkcs12(Data([0x30]), password: "a")
        let policies = [
            TLSPolicy(), TLSPolicy(minimumVersion: .tls1_2), TLSPolicy(minimumVersion: .tls1_3),
            TLSPolicy(roots: .system(adding: [certificate])), TLSPolicy(roots: .only([certificate])),
            TLSPolicy(roots: .only([])), TLSPolicy(clientIdentity: identity),
            TLSPolicy(clientIdentity: .pkcs12(Data([0x30]), password: "b")),
            TLSPolicy(clientIdentity: .pem(certificates: Data([0x30]), privateKey: Data(), password: "a")),
            TLSPolicy(pins: ["api.test": [Self.pin]]), TLSPolicy(pins: ["api.test": [.certificate(certificate)]]),
            TLSPolicy(insecureHost: "api.test"),
        ]
        #expect(Set(policies).count == policies.count)
    }
}
