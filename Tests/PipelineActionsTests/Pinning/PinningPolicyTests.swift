import Foundation
import Pipeline
import PipelineActions
import PipelineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct PinningPolicyTests {
    private static let one: Pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let other: Pin = "sha256/B4+5wAHlIDQ6EtafPNdEKqH8PXqI6IhyCLgu/Nn09BI="

    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/TLS").standardizedFileURL

    private static func certificate(_ name: String) throws -> Certificate {
        try #require(Certificate.list(contentsOf: fixtures.appendingPathComponent(name + ".pem")).first)
    }

    // MARK: Rules

    private static let refused: [(reason: String, make: @Sendable () throws -> PinningRule)] = [
        ("names no host", { try PinningRule(hosts: [], keys: [one, other]) }),
        ("scheme and port", { try PinningRule("https://a.test", keys: [one, other]) }),
        ("scheme and port", { try PinningRule("a.test", "*", keys: [one, other]) }),
        ("no pins of keys", { try PinningRule("a.test") }),
        ("no pins of keys", { try PinningRule("a.test", backup: .waived) }),
        ("none to spare", { try PinningRule("a.test", keys: [one]) }),
        ("none to spare", { try PinningRule("a.test", certificates: [certificate("good")]) }),
        (
            "none to spare",
            {
                let good = try certificate("good")
                return try PinningRule("a.test", keys: [Pin.publicKey(of: good)], certificates: [good])
            }
        ),
        ("sha256/ and the Base64", { try PinningRule("a.test", keys: [one, "sha256/AAAA"]) }),
        ("sha256/ and the Base64", { try PinningRule("a.test", keys: [one, .certificate(certificate("good"))]) }),
        (
            "parts of one",
            {
                let list = [try certificate("good"), Certificate(der: Data([0x30, 0x00]))]
                return try PinningRule("a.test", certificates: list, modes: .certificate)
            }
        ),
        ("none to spare", { try PinningRule("a.test", certificates: [certificate("good")], modes: .certificate) }),
        ("no pins of certificates", { try PinningRule("a.test", keys: [one, other], modes: .both) }),
        (
            "pins certificates only",
            { try PinningRule("a.test", keys: [one], certificates: [certificate("good")], modes: .certificate) }
        ),
        ("pins nothing", { try PinningRule("a.test", keys: [one, other], modes: []) }),
    ]

    @Test(arguments: refused.indices)
    func `refuses a rule that would lock out everybody, or nobody`(index: Int) {
        let error = #expect(throws: MalformedValue.self) { try Self.refused[index].make() }
        #expect(error?.description.contains(Self.refused[index].reason) == true, "\(String(describing: error))")
    }

    @Test func `makes of each mode a set of pins`() throws {
        let list = [try Self.certificate("good"), try Self.certificate("second")]
        let keys = Set(try list.map { try Pin.publicKey(of: $0) })
        let whole = Set(list.map { Pin.certificate($0) })
        func required(_ modes: PinningModes, keys: Set<Pin> = []) throws -> [Set<Pin>]? {
            let rule = try PinningRule("a.test", keys: keys, certificates: list, modes: modes)
            return PinningPolicy([rule]).pinRules.rule(for: "a.test")?.required
        }

        #expect(try required(.publicKey) == [keys])
        #expect(try required(.publicKey, keys: [Self.one]) == [keys.union([Self.one])])
        #expect(try required(.certificate) == [whole])
        #expect(try required(.both, keys: [Self.one]) == [keys.union([Self.one]), whole])
        #expect(throws: Never.self) { try PinningRule("a.test", keys: [Self.one], backup: .waived) }
    }

    // MARK: Policies

    @Test func `gives rules, exceptions and the rest to the transport`() throws {
        let expiry = Date(timeIntervalSince1970: 2_000_000_000)
        let rule = try PinningRule("a.test", "*.b.test", keys: [Self.one, Self.other], expiry: expiry)
        let policy = PinningPolicy(
            [rule, try PinningRule("x.b.test", keys: [Self.one], backup: .waived)],
            excluding: ["free.b.test", "x.b.test"],
            unlisted: .refused
        )
        let rules = policy.pinRules

        #expect(rules.rule(for: "a.test") == PinRule([Self.one, Self.other], expiry: expiry))
        #expect(rules.rule(for: "y.b.test") == rules.rule(for: "a.test"))
        #expect(rules.rule(for: "free.b.test") == .exempt)
        #expect(rules.rule(for: "x.b.test") == .exempt)
        #expect(rules.rule(for: "c.test") == nil)
        #expect(rules.unlisted == .refused)

        let lax = policy.reportingOnly().pinRules
        #expect(lax.rule(for: "a.test")?.isEnforced == false)
        #expect(lax.rule(for: "free.b.test") == .exempt)
        #expect(lax.unlisted == .reported)
        #expect(PinningPolicy([]).reportingOnly().pinRules.unlisted == .allowed)
    }

    @Test func `a site is a host and all below it`() throws {
        let rule = try PinningRule(hosts: HostPattern.site("example.com"), keys: [Self.one, Self.other])
        let rules = PinningPolicy([rule]).pinRules
        for host in ["example.com", "api.example.com", "v1.api.example.com"] { #expect(rules.rule(for: host) != nil) }
        #expect(rules.rule(for: "badexample.com") == nil)
    }

    // MARK: Certificates in files

    @Test func `finds certificates in a folder, each once, in the order of their names`() throws {
        let folder = try TemporaryFolder()
        let good = try Self.certificate("good")
        let second = try Self.certificate("second")
        let pem = try Data(contentsOf: Self.fixtures.appendingPathComponent("good.pem"))
        let key = try Data(contentsOf: Self.fixtures.appendingPathComponent("client-key.pem"))
        try second.der.write(to: folder.url.appendingPathComponent("b.CER"))
        try pem.write(to: folder.url.appendingPathComponent("a.pem"))
        try good.der.write(to: folder.url.appendingPathComponent("c.der"))
        try key.write(to: folder.url.appendingPathComponent("d.pem"))
        try Data("text".utf8).write(to: folder.url.appendingPathComponent("e.txt"))

        let list = try Certificate.list(inFolder: folder.url)

        #expect(list == [good, try Self.certificate("intermediate"), second])
    }

    @Test func `a file that does not hold what its name says is an error`() throws {
        let folder = try TemporaryFolder()
        try Data("text".utf8).write(to: folder.url.appendingPathComponent("a.crt"))
        #expect(throws: MalformedValue.self) { try Certificate.list(inFolder: folder.url) }
        #expect(throws: (any Error).self) { try Certificate.list(inFolder: folder.url.appendingPathComponent("none")) }
    }

    @Test func `finds certificates among a bundle's resources`() throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("Pins.resources")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        try Self.certificate("good").der.write(to: place.appendingPathComponent("a.cer"))
        let bundle = try #require(Bundle(url: place))

        #expect(try Certificate.list(in: bundle) == [Self.certificate("good")])
    }

    // MARK: The action

    private func sent(_ request: NetworkRequest, _ policy: PinningPolicy, tls: TLSPolicy? = nil) async throws
        -> TLSPolicy?
    {
        let server = ScriptedTransport([.redirect(to: "https://b.test/"), .status(200)])
        var configuration = NetworkConfiguration()
        configuration.tls = tls
        _ = try await Network(actions: [.pinning(policy)], transport: server, configuration: configuration).send(
            request
        )
        #expect(server.requests.count == 2)
        #expect(server.requests.first?.tls == server.requests.last?.tls)
        return server.requests.last?.tls
    }

    @Test func `gives every hop the whole policy, and keeps what else is asked of TLS`() async throws {
        let policy = PinningPolicy([try PinningRule("a.test", keys: [Self.one, Self.other])], unlisted: .refused)
        let request = NetworkRequest(url: URL(string: "https://a.test/")!)
        let own = TLSPolicy(minimumVersion: .tls1_3, pins: ["a.test": [Self.one], "b.test": [Self.one]])

        #expect(try await sent(request, policy)?.pins == policy.pinRules)
        let both = try await sent(request, policy, tls: own)
        #expect(both?.minimumVersion == .tls1_3)
        #expect(both?.pins.rule(for: "a.test") == [Self.one])
        #expect(both?.pins.rule(for: "b.test") == [Self.one])
        #expect(both?.pins.unlisted == .refused)
        var ignoring = request
        ignoring.ignoresPinning = true
        #expect(try await sent(ignoring, policy, tls: own) == own)
        #expect(try await sent(ignoring, policy) == nil)
    }

    @Test func `keeps the rules of actions`() async throws {
        let policy = PinningPolicy([try PinningRule("a.test", keys: [Self.one, Self.other])])
        #expect(await ActionConformance.violations { .pinning(policy) }.isEmpty)
    }
}
