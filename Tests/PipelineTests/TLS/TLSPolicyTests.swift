import Foundation
import Pipeline
import Testing

struct TLSPolicyTests {
    private static let pin: Pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(arguments: HostPatternTests.same)
    func `knows the host that goes unverified however its name is written`(name: String, host: String) {
        #expect(TLSPolicy(insecureHost: name).isInsecure(host))
    }

    @Test(arguments: HostPatternTests.different)
    func `takes no host for another`(name: String, host: String) {
        #expect(!TLSPolicy(insecureHost: name).isInsecure(host))
    }

    @Test(arguments: HostPatternTests.none + ["*.api.test", "**.api.test"])
    func `refuses a name that is no host, for nothing would keep its rule`(name: String) {
        let policy = TLSPolicy(insecureHost: name)
        let error = #expect(throws: MalformedValue.self) { try policy.check() }
        #expect(error?.kind == "host of a TLS policy")
        #expect(!policy.isInsecure("api.test"))
    }

    @Test(arguments: HostPatternTests.none)
    func `refuses pins of what is no host`(name: String) {
        let policy = TLSPolicy(pins: [HostPattern(stringLiteral: name): [Self.pin]])
        #expect(throws: MalformedValue.self) { try policy.check() }
        #expect(policy.pins.rule(for: "api.test") == nil)
    }

    @Test func `refuses no name that is one`() {
        for (name, _) in HostPatternTests.same + HostPatternTests.different {
            let policy = TLSPolicy(pins: [HostPattern(stringLiteral: name): []], insecureHost: name)
            #expect(throws: Never.self) { try policy.check() }
        }
    }

    @Test func `a request whose policy names no host is refused`() async throws {
        var request = NetworkRequest(url: try #require(URL(string: "https://api.test/")))
        request.tls = TLSPolicy(pins: ["https://api.test": [Self.pin]])

        let error = await #expect(throws: NetworkError.self) { try await URLSessionTransport().send(request) }

        #expect(error?.code == .invalidRequest)
        #expect(error?.reach == .no)
    }

    @Test func `asks for nothing unless told otherwise`() {
        let policy = TLSPolicy()

        #expect(policy.minimumVersion == nil)
        #expect(policy.roots == .system)
        #expect(policy.clientIdentity == nil)
        #expect(policy.pins.isEmpty)
        #expect(policy.pins.rule(for: "api.test") == nil)
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
            TLSPolicy(pins: ["api.test": PinRule([Self.pin], isEnforced: false)]),
            TLSPolicy(pins: ["api.test": PinRule([Self.pin], expiry: .distantFuture)]),
            TLSPolicy(pins: ["api.test": .exempt]), TLSPolicy(pins: ["*.api.test": [Self.pin]]),
            TLSPolicy(pins: PinRules(unlisted: .refused)), TLSPolicy(pins: PinRules(unlisted: .reported)),
            TLSPolicy(insecureHost: "api.test"),
        ]
        #expect(Set(policies).count == policies.count)
    }
}
