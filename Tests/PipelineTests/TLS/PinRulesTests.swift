import Foundation
import Pipeline
import Testing

struct PinRulesTests {
    private static func rule(_ number: UInt8) -> PinRule {
        PinRule([.certificate(Certificate(der: Data([0x30, number])))])
    }

    /// The rules are numbered in the order of the patterns.
    static let counting: [(patterns: [HostPattern], host: String, number: Int?)] = [
        (["api.example.com", "*.example.com", "**.example.com"], "api.example.com", 0),
        (["api.example.com", "*.example.com", "**.example.com"], "www.example.com", 1),
        (["api.example.com", "*.example.com", "**.example.com"], "v1.api.example.com", 2),
        (["api.example.com", "*.example.com", "**.example.com"], "example.com", nil),
        (["**.com", "**.example.com", "**.api.example.com"], "v1.api.example.com", 2),
        (["**.com", "**.example.com", "**.api.example.com"], "api.example.com", 1),
        (["**.com", "**.example.com", "**.api.example.com"], "example.com", 0),
        (["*.com", "**.com"], "example.com", 0),
        (["*.example.com", "**.api.example.com"], "v1.api.example.com", 1),
        (["**.example.com", "127.0.0.1"], "127.0.0.1", 1),
        (["**.example.com", "::1"], "[0:0::1]", 1),
        (["API.example.com"], "api.EXAMPLE.com.", 0),
        ([], "api.example.com", nil),
        (["api.example.com"], "", nil),
        (["api.example.com"], "not a host", nil),
    ]

    @Test(arguments: counting.indices)
    func `the rule of the most specific pattern counts`(index: Int) {
        let (patterns, host, number) = Self.counting[index]
        var rules = PinRules()
        for (number, pattern) in patterns.enumerated() { rules[pattern] = Self.rule(UInt8(number)) }
        #expect(rules.rule(for: host) == number.map { Self.rule(UInt8($0)) })
    }

    @Test func `of a pattern given twice the later rule counts`() {
        let rules: PinRules = ["API.test": Self.rule(1), "api.test.": Self.rule(2)]
        #expect(rules["api.test"] == Self.rule(2))
        #expect(rules.patterns.count == 1)
    }

    @Test func `others count where both have a rule, and the stricter about who has none`() {
        var one: PinRules = ["a.test": Self.rule(1), "b.test": Self.rule(2)]
        one.unlisted = .reported
        let other: PinRules = ["b.test": Self.rule(3), "c.test": Self.rule(4)]

        let merged = one.merging(other)

        #expect(merged.rule(for: "a.test") == Self.rule(1))
        #expect(merged.rule(for: "b.test") == Self.rule(3))
        #expect(merged.rule(for: "c.test") == Self.rule(4))
        #expect(merged.unlisted == .reported)
        #expect(merged.merging(PinRules(unlisted: .refused)).unlisted == .refused)
    }

    @Test func `rules that ask for nothing are none`() {
        #expect(PinRules().isEmpty)
        #expect((["a.test": .exempt] as PinRules).isEmpty)
        #expect(!(["a.test": []] as PinRules).isEmpty)
        #expect(!(["a.test": PinRule([], isEnforced: false)] as PinRules).isEmpty)
        #expect(!PinRules(unlisted: .reported).isEmpty)
        #expect(!PinRules(unlisted: .refused).isEmpty)
    }

    @Test func `only the exempt rule asks for nothing`() {
        #expect(PinRule.exempt.isExempt)
        #expect(!PinRule([]).isExempt)
        #expect(!PinRule(oneOfEach: []).isExempt)
        #expect(PinRule(oneOfEach: []) == PinRule([]))
    }
}
